/**
 * What a bundle begins with. As process 1 of a container a program gets no signal that it does not
 * handle: one that comes while the modules load would be lost, and the container be killed when its
 * grace period has passed. Until the program has handlers of its own, a signal ends it as it would
 * end any other process.
 */
export const earlySignals = `for (const [signal, number] of [["SIGINT", 2], ["SIGTERM", 15]]) {
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) process.exit(128 + number);
  });
}`;
