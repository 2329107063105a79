/** Edits that a word of a query may be away from what it finds: 1 from 4 letters, 2 from 8. */
export function maxEdits(word: string): number {
  const { length } = Array.from(word);
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}
