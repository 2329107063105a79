import type { Hit } from "./hit.ts";
import type { TextMatch } from "./score-match.ts";
import type { VectorMatch } from "./vector-search.ts";

const noMatch: TextMatch = {
  score: 0n,
  bestFieldScore: 0n,
  bestFieldWeight: 0,
  fieldsMatched: 0,
  tokensMatched: 0,
  typoPrefixScore: 255,
};

/**
 * Joins the hits by words and by vector: (1 - alpha) / rank by words + alpha / rank by vector. Hits
 * with the same text score share their rank.
 */
export function fuse(hits: readonly Hit[], vectors: readonly VectorMatch[], alpha: number): Hit[] {
  const distances = new Map(
    vectors.map(({ stored, distance }, index) => [stored, { distance, rank: index + 1 }]),
  );
  const scores = [...new Set(hits.map((hit) => hit.match?.score ?? 0n))];
  const ranks = new Map(
    scores.toSorted((a, b) => (a < b ? 1 : -1)).map((score, index) => [score, index + 1]),
  );
  const byWords = hits.map((hit): Hit => {
    const near = distances.get(hit.stored);
    const byText = (1 - alpha) / (ranks.get(hit.match?.score ?? 0n) ?? 1);
    if (near === undefined) return { ...hit, fusion: byText };
    return { ...hit, fusion: byText + alpha / near.rank, vectorDistance: near.distance };
  });
  const found = new Set(hits.map((hit) => hit.stored));
  const byVector = [...distances]
    .filter(([stored]) => !found.has(stored))
    .map(([stored, { distance, rank }]): Hit => ({
      stored,
      match: noMatch,
      vectorDistance: distance,
      fusion: alpha / rank,
    }));
  return [...byWords, ...byVector];
}
