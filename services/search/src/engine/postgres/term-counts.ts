import { compareCodePoints } from "../../domain/compare-code-points.ts";
import type { Bucket } from "../offer-search.ts";
import type { Term, TermKind } from "./terms.ts";

/** Counted terms by kind: most offers first, then by value. */
export class TermCounts {
  readonly #buckets = new Map<TermKind, Bucket[]>();

  constructor(
    numbers: readonly number[],
    counts: readonly number[],
    terms: ReadonlyMap<number, Term>,
  ) {
    for (const [index, number] of numbers.entries()) {
      const term = terms.get(number);
      if (term === undefined) continue;
      const bucket = { key: term.value, count: counts[index] ?? 0 };
      const buckets = this.#buckets.get(term.kind);
      if (buckets === undefined) this.#buckets.set(term.kind, [bucket]);
      else buckets.push(bucket);
    }
  }

  /** The first buckets of a kind; all of them by default. */
  of(kind: TermKind, limit = Number.POSITIVE_INFINITY): Bucket[] {
    const buckets = this.#buckets.get(kind) ?? [];
    buckets.sort((a, b) => b.count - a.count || compareCodePoints(a.key, b.key));
    return buckets.length > limit ? buckets.slice(0, limit) : buckets;
  }
}
