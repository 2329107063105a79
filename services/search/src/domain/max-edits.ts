/** Edits that a word of a query may be away from what it finds: 1 from 4 letters, 2 from 8. */
export function maxEdits(word: string): number {
  const { length } = Array.from(word);
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * Edits (a letter more, less, other, or two neighbours swapped) from `typed` to `word`, or to the
 * nearest beginning of it, up to a limit. Optimal string alignment.
 *
 * @returns `limit + 1` when there are more.
 */
export function editDistance(
  typed: string,
  word: string,
  { limit, isPrefix }: { limit: number; isPrefix: boolean },
): number {
  const tooFar = limit + 1;
  const rows = typed.length;
  const columns = isPrefix ? Math.min(word.length, rows + limit) : word.length;
  if (Math.abs(rows - columns) > limit && (!isPrefix || rows > columns)) return tooFar;
  let beforeLast: number[] = [];
  let last = Array.from({ length: columns + 1 }, (_, column) => column);
  for (let row = 1; row <= rows; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= columns; column++) {
      const isSame = typed[row - 1] === word[column - 1];
      let edits = Math.min(
        (last[column] ?? tooFar) + 1,
        (current[column - 1] ?? tooFar) + 1,
        (last[column - 1] ?? tooFar) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 &&
        column > 1 &&
        typed[row - 1] === word[column - 2] &&
        typed[row - 2] === word[column - 1];
      if (isSwapped) edits = Math.min(edits, (beforeLast[column - 2] ?? tooFar) + 1);
      current.push(edits);
      best = Math.min(best, edits);
    }
    if (best > limit) return tooFar;
    beforeLast = last;
    last = current;
  }
  const edits = isPrefix ? Math.min(...last) : (last[columns] ?? tooFar);
  return Math.min(edits, tooFar);
}
