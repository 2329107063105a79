/**
 * One Ctrl-C may arrive as several signals: from the terminal, and again from the package manager
 * that forwards it. Later ones within this time count as the same one, in milliseconds.
 */
const sameInterruptMs = 500;

/** Listens for Ctrl-C and for requests to end. */
export interface Interrupts {
  /** Aborted by the first one. */
  readonly signal: AbortSignal;
  /** Resolves with the first one. */
  readonly first: Promise<void>;
  /** Resolves with the second one. */
  readonly second: Promise<void>;
}

/** Takes over SIGINT, SIGTERM and SIGHUP of this process. */
export function listenForInterrupts(): Interrupts {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const abortion = new AbortController();
  let firstAtMs: number | undefined;
  const listen = () => {
    const nowMs = performance.now();
    if (firstAtMs === undefined) {
      firstAtMs = nowMs;
      abortion.abort();
      first.resolve();
    } else if (nowMs - firstAtMs > sameInterruptMs) {
      second.resolve();
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, listen);
  return { signal: abortion.signal, first: first.promise, second: second.promise };
}
