import { compareBuckets } from "../../domain/count-offers.ts";
import { containing } from "../../domain/facet-query.ts";
import type { TermKind } from "../../domain/offer-fields.ts";
import type { Bucket } from "../offer-search.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { Turns } from "./turns.ts";

/** Buckets by kind: most offers first, then by value. */
type TermBuckets = ReadonlyMap<TermKind, readonly Bucket[]>;

interface BucketOptions {
  /** Of each kind. Default all. */
  readonly limit?: number;
  /** Limits the buckets of a kind to values that contain a text. Default none. */
  readonly narrowed?: { readonly kind: TermKind; readonly text: string } | undefined;
}

/**
 * The first buckets of each kind.
 *
 * @param counts offers with each term, by its number
 */
export async function termBuckets(
  { database, terms, kinds }: Pick<SearchDependencies, "database" | "terms" | "kinds">,
  counts: Int32Array,
  matching: readonly TermKind[],
  { limit = Number.POSITIVE_INFINITY, narrowed }: BucketOptions = {},
): Promise<TermBuckets> {
  await kinds.readBelow(counts.length);
  const counted = new Map<TermKind, number[]>(matching.map((kind) => [kind, []]));
  for (let number = 0; number < counts.length; number++) {
    const kind = counts[number] === 0 ? undefined : kinds.of(number);
    if (kind !== undefined) counted.get(kind)?.push(number);
  }
  const first = [...counted].map(([kind, numbers]) => {
    const isNarrowed = kind === narrowed?.kind;
    return [kind, isNarrowed ? numbers : firstOf(numbers, counts, limit)] as const;
  });
  const termOf = await terms.termsOf(
    database,
    first.flatMap(([, numbers]) => numbers),
  );
  const bucketsByKind = new Map<TermKind, readonly Bucket[]>();
  for (const [kind, numbers] of first) {
    const all = numbers.flatMap((number) => {
      const { value: key } = termOf.get(number) ?? {};
      return key === undefined ? [] : { key, count: counts[number] ?? 0 };
    });
    const buckets = kind === narrowed?.kind ? await bucketsContaining(narrowed.text, all) : all;
    buckets.sort(compareBuckets);
    bucketsByKind.set(kind, buckets.length > limit ? buckets.slice(0, limit) : buckets);
  }
  return bucketsByKind;
}

/** Values checked between two yields: some 2 ms. */
const valuesPerTurn = 1_000;

async function bucketsContaining(text: string, buckets: readonly Bucket[]): Promise<Bucket[]> {
  const isMatching = containing(text);
  const turns = new Turns(valuesPerTurn);
  const matching: Bucket[] = [];
  for (const bucket of buckets) {
    if (isMatching(bucket.key)) matching.push(bucket);
    await turns.after(1);
  }
  return matching;
}

/** The candidates for the first buckets by count, so that only their values are loaded. */
function firstOf(numbers: readonly number[], counts: Int32Array, limit: number): readonly number[] {
  if (numbers.length <= limit) return numbers;
  const sorted = Int32Array.from(numbers, (number) => counts[number] ?? 0).toSorted();
  const least = sorted[sorted.length - limit] ?? 0;
  return numbers.filter((number) => (counts[number] ?? 0) >= least);
}
