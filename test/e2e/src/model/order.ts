import type { OfferRecord } from "./records.ts";

/** Milliseconds of a date; undefined when it is unknown. */
export function timeOf(date: string | null | undefined): number | undefined {
  return date === null || date === undefined ? undefined : Date.parse(date);
}

/** Sorts newest first, unknown last, ties by id ascending by code point. */
export function newestFirst<Value>(
  values: Iterable<Value>,
  dateOf: (value: Value) => string | null | undefined,
  idOf: (value: Value) => string,
): Value[] {
  return [...values].toSorted((a, b) => {
    const difference =
      (timeOf(dateOf(b)) ?? Number.NEGATIVE_INFINITY) -
      (timeOf(dateOf(a)) ?? Number.NEGATIVE_INFINITY);
    return difference === 0 || Number.isNaN(difference)
      ? byCodePoint(idOf(a), idOf(b))
      : difference;
  });
}

/** Compares by code point, as bytes of UTF-8 do; `<` on strings compares UTF-16 units. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The page of a list. */
export function pageOf<Value>(values: readonly Value[], page: number, limit: number): Value[] {
  return values.slice((page - 1) * limit, page * limit);
}

/** Compares offers by creation date, undated ones last, ties by id. */
export function earliestFirst(a: OfferRecord, b: OfferRecord): number {
  const early = (offer: OfferRecord) => timeOf(offer.creationDate) ?? Number.POSITIVE_INFINITY;
  const difference = early(a) - early(b);
  return difference === 0 || Number.isNaN(difference) ? byCodePoint(a.id, b.id) : difference;
}
