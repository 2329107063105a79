const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const firstDelaysMs = [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour];
const laterDelayMs = 6 * hour;

/** How long after its first attempt a delivery is retried. */
const retriedForMs = 72 * hour;

/**
 * When a delivery that failed is tried again; undefined when it has failed for good.
 *
 * @param attempts those that failed, the last one included
 * @param random from 0 to 1: the jitter, at most half of the delay
 */
export function nextAttemptAt(
  attempts: number,
  firstAttemptAt: Date,
  now: Date,
  random = Math.random(),
): Date | undefined {
  const delayMs = (firstDelaysMs[attempts - 1] ?? laterDelayMs) * (1 + random / 2);
  const at = now.getTime() + delayMs;
  return at - firstAttemptAt.getTime() > retriedForMs ? undefined : new Date(at);
}
