const dayMs = 86_400_000;

/**
 * For how long an answer about an instant stays the same if nothing is written, at most a day.
 *
 * @param next when time alone changes it; null for never
 */
export function validForMs(at: Date, next: Date | null): number {
  return next === null ? dayMs : Math.min(dayMs, Math.max(0, next.getTime() - at.getTime()));
}
