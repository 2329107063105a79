import type { Region } from "@storefront/identifiers";
import { regions } from "@storefront/regions";
import type { CollectionFieldSchema } from "typesense";
import { integerColumns } from "../column-names.ts";
import { facets, tokenFields } from "./term-fields.ts";

/** Names of a generation's collections. */
export type Collections = ReturnType<typeof collectionsOf>;

export function collectionsOf(prefix: string, generation: number) {
  return {
    offers: `${prefix}_offers_${generation}`,
    entries: `${prefix}_entries_${generation}`,
    /** All words of the offers, to correct what people type. */
    words: `${prefix}_words_${generation}`,
  };
}

/** Fields of prices in a region, in minor units; `percent` is the share off, in 2^53rds. */
export function priceFields(region: Region) {
  return {
    price: `price_${region}`,
    discount: `discount_${region}`,
    percent: `percent_${region}`,
    updated: `price_updated_${region}`,
    lowestSince: `lowest_since_${region}`,
  };
}

/**
 * Tokens and words are made by this package and hold letters and digits only, so that the server's own
 * tokeniser, which decides what equals what, has nothing to decide. Every field is optional: prices
 * and vectors may come before their offer.
 *
 * @param vectors fields of the vectors, if there are any
 */
export function offersSchema(name: string, vectors: readonly CollectionFieldSchema[]) {
  const optional =
    (type: CollectionFieldSchema["type"], extra = {}) =>
    (field: string) => ({
      name: field,
      type,
      optional: true,
      ...extra,
    });
  const int64 = optional("int64");
  const fields: CollectionFieldSchema[] = [
    ...["is_offer", "has_giveaway"].map(optional("bool")),
    ...[...tokenFields, "price_terms"].map(optional("string")),
    ...["title_key", "title_words", "named_words", "tagged_words", "all_words"].map(
      optional("string"),
    ),
    ...["title_starts"].map(optional("string[]")),
    ...["id_order", "text_order"].map(optional("string", { sort: true })),
    ...[...facets].map(([facet, { isList = false }]) =>
      optional(isList ? "string[]" : "string", { facet: true })(facet),
    ),
    ...[...integerColumns.values()].map(int64),
    ...regions.flatMap(({ region }) => {
      const { price, ...others } = priceFields(region);
      return [optional("int64", { facet: true })(price), ...Object.values(others).map(int64)];
    }),
    ...vectors,
  ];
  return { name, fields };
}

/** Every entry has all of its fields. */
export function entriesSchema(name: string) {
  const fields: CollectionFieldSchema[] = [
    { name: "timestamp", type: "int64" },
    { name: "terms", type: "string" },
    { name: "words", type: "string" },
    { name: "id_order", type: "string", sort: true },
  ];
  return { name, fields };
}

/** A word is its document's id; see `KnownWords` for its spelling. */
export function wordsSchema(name: string) {
  const fields: CollectionFieldSchema[] = [{ name: "spelling", type: "string" }];
  return { name, fields };
}
