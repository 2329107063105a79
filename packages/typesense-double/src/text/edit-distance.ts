/**
 * Typos between two words: letters changed, missing, added, or neighbours swapped (optimal string
 * alignment). Counted in UTF-8 bytes, as the server does: a Cyrillic letter is two.
 */
export function editDistance(left: string, right: string): number {
  const row = distances(bytes(left), bytes(right));
  return row[row.length - 1] ?? 0;
}

/** Typos between a word and the beginning of another that fits it best; above `max` any number. */
export function prefixDistance(word: string, longer: string, max: number): number {
  const wanted = bytes(word);
  return Math.min(...distances(wanted, bytes(longer).subarray(0, wanted.length + max)));
}

/** The distances of `left` to every beginning of `right`, from the empty one to the whole. */
function distances(left: Uint8Array, right: Uint8Array): number[] {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const changed = left[i - 1] === right[j - 1] ? 0 : 1;
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + changed);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      }
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row;
}

function bytes(word: string): Uint8Array {
  return Buffer.from(word);
}
