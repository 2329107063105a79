import { compareBuckets } from "../../domain/count-offers.ts";
import type { TermKind } from "../../domain/field-names.ts";
import type { Bucket } from "../offer-search.ts";
import type { SearchDependencies } from "./search-dependencies.ts";

/** Buckets by kind: most offers first, then by value. */
export type TermBuckets = ReadonlyMap<TermKind, readonly Bucket[]>;

/**
 * The first buckets of each kind.
 *
 * @param counts offers with each term, by its number
 * @param limit of each kind; default all
 */
export async function termBuckets(
  { database, terms, kinds }: Pick<SearchDependencies, "database" | "terms" | "kinds">,
  counts: Int32Array,
  wanted: readonly TermKind[],
  limit = Number.POSITIVE_INFINITY,
): Promise<TermBuckets> {
  await kinds.readBelow(counts.length);
  const counted = new Map<TermKind, number[]>(wanted.map((kind) => [kind, []]));
  for (let number = 0; number < counts.length; number++) {
    const kind = counts[number] === 0 ? undefined : kinds.of(number);
    if (kind !== undefined) counted.get(kind)?.push(number);
  }
  const first = [...counted].map(([kind, numbers]) => {
    return [kind, firstOf(numbers, counts, limit)] as const;
  });
  const termOf = await terms.termsOf(
    database,
    first.flatMap(([, numbers]) => numbers),
  );
  return new Map(
    first.map(([kind, numbers]) => {
      const buckets = numbers.flatMap((number) => {
        const term = termOf.get(number);
        return term === undefined ? [] : { key: term.value, count: counts[number] ?? 0 };
      });
      buckets.sort(compareBuckets);
      return [kind, buckets.length > limit ? buckets.slice(0, limit) : buckets] as const;
    }),
  );
}

/** Those among which the first are, told by their counts alone: values need to be known of few. */
function firstOf(numbers: readonly number[], counts: Int32Array, limit: number): readonly number[] {
  if (numbers.length <= limit) return numbers;
  const sorted = Int32Array.from(numbers, (number) => counts[number] ?? 0).toSorted();
  const least = sorted[sorted.length - limit] ?? 0;
  return numbers.filter((number) => (counts[number] ?? 0) >= least);
}
