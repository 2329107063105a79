/**
 * Normalised discounted cumulative gain of the first ten, with equal weights of relevant ones: 1 when all
 * are relevant, or all relevant ones are in front.
 *
 * @param relevantCount how many relevant ones there are at all, at least 1.
 */
export function ndcgAt10(isRelevant: readonly boolean[], relevantCount: number): number {
  const discount = (rank: number) => 1 / Math.log2(rank + 2);
  const gain = isRelevant
    .slice(0, 10)
    .reduce((sum, relevant, rank) => sum + (relevant ? discount(rank) : 0), 0);
  const ranks = Array.from({ length: Math.min(relevantCount, 10) }, (_, rank) => discount(rank));
  return gain / ranks.reduce((sum, each) => sum + each, 0);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
