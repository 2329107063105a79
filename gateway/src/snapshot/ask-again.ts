const leastSeconds = 1;
const mostSeconds = 30;

/**
 * When to ask again for what is being made, in whole seconds: after a quarter of the time that it has taken already.
 * So nobody waits for much longer than it takes, and who asks in time asks some two dozen times in five minutes.
 *
 * @param tookMs milliseconds since its making began
 */
export function askAgainSeconds(tookMs: number): number {
  const seconds = Math.ceil(tookMs / 1000 / 4);
  return Math.min(Math.max(seconds, leastSeconds), mostSeconds);
}
