/** Whether the text has more than `max` code points. */
export function isLongerThan(text: string, max: number): boolean {
  // A code point is one or two UTF-16 units, so most strings need no counting.
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > max;
}
