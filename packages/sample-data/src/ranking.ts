import { isUpcoming } from "./game.ts";
import { identifier, numberIn, Random } from "./random.ts";
import { hourMs, observe } from "./observe.ts";
import type { Source } from "./random.ts";

/** Collections of rankings, and whether upcoming games take part. */
const collections = [
  { collection: "top-sellers", upcoming: false },
  { collection: "top-wishlisted", upcoming: true },
  { collection: "most-played", upcoming: false },
];

/** Most positions of a ranking; fewer in small catalogues. */
const maxPositions = 100;

/** Rankings of the base games of that many sandboxes, each without gaps or ties. */
export function observeRankings(source: Source, sandboxes: number) {
  return collections.flatMap(({ collection, upcoming }, number) => {
    const random = new Random(source.seed, "ranking", number);
    const step = coprime(random.integer(1, Math.max(1, sandboxes - 1)), sandboxes);
    const start = random.integer(0, sandboxes - 1);
    // A step without a common divisor visits every sandbox once.
    return Array.from({ length: sandboxes }, (_, n) => (start + n * step) % sandboxes)
      .filter((index) => upcoming || !isUpcoming(index))
      .slice(0, maxPositions)
      .map((index, n) => {
        const offerId = identifier(source.seed, "offer", numberIn(index, 0));
        const record = { collection, offerId, position: n + 1 };
        return observe("ranking", source.nowMs - 6 * hourMs, record);
      });
  });
}

/** The first number from `from` on that has no divisor in common with `count`. */
function coprime(from: number, count: number): number {
  let candidate = from;
  while (greatestCommonDivisor(candidate, count) !== 1) candidate++;
  return candidate;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
