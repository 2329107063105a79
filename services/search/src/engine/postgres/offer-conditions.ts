import type { OfferFilter, OfferSearch } from "../offer-search.ts";
import { blockchainFlag, codeRedemptionFlag, termKey } from "./terms.ts";
import type { Term, TermKind } from "./terms.ts";

/** Values for the parameters of a statement, in order. */
export class Parameters {
  readonly values: unknown[];

  /** @param values that a part of the statement has already; default none. */
  constructor(values: readonly unknown[] = []) {
    this.values = [...values];
  }

  /** The placeholder of a value. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** What a filter asks of an offer's terms. */
export interface TermConditions {
  /** All of each of these lists. */
  readonly all: readonly Term[];
  /** Any of each of these lists. */
  readonly any: readonly (readonly Term[])[];
  readonly none: readonly Term[];
}

/** The part of a filter that an offer's terms answer. */
export function termConditions(filter: OfferFilter): TermConditions {
  const of = (kind: TermKind, values: readonly (string | undefined)[]): Term[] =>
    values.flatMap((value) => (value === undefined ? [] : [{ kind, value }]));
  return {
    all: [
      ...of("tag", filter.tagIds),
      ...of("technology", filter.technologies),
      ...of("seller", [filter.sellerId]),
      ...of("developer", [filter.developer]),
      ...of("publisher", [filter.publisher]),
      ...of("refundType", [filter.refundType]),
      ...(filter.isCodeRedemptionOnly === true ? [codeRedemptionFlag] : []),
    ],
    any: [
      of("type", filter.offerTypes),
      of("category", filter.categories),
      of("attribute", filter.customAttributes),
    ].filter((terms) => terms.length > 0),
    none: [
      ...(filter.isCodeRedemptionOnly === false ? [codeRedemptionFlag] : []),
      ...(filter.excludeBlockchain ? [blockchainFlag] : []),
    ],
  };
}

/**
 * Conditions on `offer.terms`.
 *
 * @returns undefined when nothing can fulfil them, for no offer has a term that must be there.
 */
export function termSql(
  conditions: TermConditions,
  numbers: ReadonlyMap<string, number>,
  parameters: Parameters,
): string[] | undefined {
  const known = (terms: readonly Term[]) =>
    terms.flatMap((term) => numbers.get(termKey(term)) ?? []);
  const sql: string[] = [];
  const all = known(conditions.all);
  if (all.length < conditions.all.length) return undefined;
  if (all.length > 0) sql.push(`offer.terms @> ${parameters.add(all)}::int[]`);
  for (const terms of conditions.any) {
    const any = known(terms);
    if (any.length === 0) return undefined;
    sql.push(`offer.terms && ${parameters.add(any)}::int[]`);
  }
  const none = known(conditions.none);
  if (none.length > 0) sql.push(`not offer.terms && ${parameters.add(none)}::int[]`);
  return sql;
}

/** Conditions on the other columns of `offer`, and on `price`, the region's, null where there is none. */
export function columnSql(
  filter: OfferFilter,
  { nowMs }: Pick<OfferSearch, "nowMs">,
  parameters: Parameters,
): string[] {
  const sql: string[] = [];
  if (filter.price !== undefined) {
    const { min, max } = filter.price;
    sql.push("price.number is not null");
    if (min !== undefined) sql.push(`price.discounted >= ${parameters.add(min)}::int8`);
    if (max !== undefined) sql.push(`price.discounted <= ${parameters.add(max)}::int8`);
  }
  if (filter.onSale === true) sql.push("price.discounted < price.original");
  if (filter.onSale === false) sql.push("(price.discounted < price.original) is not true");
  if (filter.isLowestPrice) sql.push("price.is_lowest");
  const now = () => `${parameters.add(nowMs)}::int8`;
  if (filter.pastGiveaways) sql.push(`offer.first_giveaway_start <= ${now()}`);
  if (filter.only === "released") sql.push(`offer.release_date <= ${now()}`);
  if (filter.only === "upcoming") sql.push(`offer.release_date > ${now()}`);
  if (filter.only === "givenAway") sql.push("offer.has_giveaway");
  return sql;
}
