/** How closely the words of a query stand together in one text. */
export interface MatchWindow {
  /** Words within the window. */
  words: number;
  /** Sum of the gaps between them. */
  distance: number;
  /** Whether the text consists of the query's words and nothing else. */
  isWhole: boolean;
}

/** Words further apart than this do not count as standing together. */
const windowWords = 10;

/**
 * The best window over the places of each word in a text: most words first, then the smallest
 * distance. The server's sweep: always move the word that stands first to its next place.
 *
 * @param places for each word of the query its places in the text, in ascending order.
 * @param textWords how many words the text has.
 */
export function findWindow(places: readonly (readonly number[])[], textWords: number): MatchWindow {
  const cursors = places.slice(0, windowWords).map((at) => ({ at, index: 0 }));
  const best = { words: 1, distance: Number.POSITIVE_INFINITY };
  let open = cursors;
  while (open.length > 1) {
    const sorted = open.toSorted((a, b) => place(b) - place(a));
    const first = sorted.at(-1);
    if (first === undefined) break;
    const near = sorted.map(place).filter((at) => at - place(first) <= windowWords);
    const distance = (near[0] ?? 0) - place(first);
    if (near.length > best.words || (near.length === best.words && distance < best.distance)) {
      best.words = near.length;
      best.distance = distance;
    }
    first.index++;
    open = first.index < first.at.length ? sorted : sorted.slice(0, -1);
  }
  const distance = Number.isFinite(best.distance) ? Math.min(best.distance, 100) : 0;
  const isWhole = new Set(places.flat()).size === textWords && distance <= places.length - 1;
  return { words: best.words, distance, isWhole };
}

function place(cursor: { at: readonly number[]; index: number }): number {
  return cursor.at[cursor.index] ?? 0;
}
