const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const firstDelaysMs = [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour];
const laterDelayMs = 6 * hour;

/** Time after its first attempt for which a delivery is retried. */
const retriedForMs = 72 * hour;

/**
 * When a failed delivery is retried; undefined when it has failed permanently.
 *
 * @param attempts number of failed attempts, including the last one
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
