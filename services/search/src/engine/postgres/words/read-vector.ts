import type { PlaceRank } from "./posting-lists.ts";

const colon = ":".charCodeAt(0);
const space = " ".charCodeAt(0);
const letterA = "A".charCodeAt(0);
const letterC = "C".charCodeAt(0);
const sign = "#".charCodeAt(0);

/**
 * Reads a `tsvector` as PostgreSQL writes it, `'word':1A,4 'other':3C`: where each word begins and ends, and
 * the rank of the best place it has. Words are letters and digits only, so nothing in it is escaped; what
 * begins with a sign is no word.
 */
export function eachPlace(
  vector: string,
  use: (from: number, to: number, rank: PlaceRank) => void,
): void {
  const end = vector.length;
  for (let at = 0; at < end; at++) {
    const from = at + 1;
    const to = vector.indexOf("'", from);
    at = to + 1;
    let rank: PlaceRank = 1;
    if (vector.charCodeAt(at) === colon) {
      for (; at < end; at++) {
        const code = vector.charCodeAt(at);
        if (code === space) break;
        // A is 4, B is 3, C is 2; D is not written.
        if (code >= letterA && code <= letterC) rank = better(rank, letterA + 4 - code);
      }
    }
    if (vector.charCodeAt(from) !== sign) use(from, to, rank);
  }
}

function better(rank: PlaceRank, other: number): PlaceRank {
  return other > rank ? (other as PlaceRank) : rank;
}
