import type { Region } from "@storefront/domain/identifiers";
import { regions } from "@storefront/domain/regions";
import { createHash } from "node:crypto";
import type { CollectionFieldSchema } from "typesense";
import type { TermKind } from "../../domain/offer-fields.ts";
import { facetFields, indexedCounts } from "../../domain/offer-terms.ts";
import type { NamedField } from "../../domain/offer-terms.ts";
import { snakeCase, integerColumns } from "../../domain/column-names.ts";

/** Names of a generation's collections. */
export type Collections = ReturnType<typeof collectionsOf>;

export function collectionsOf(prefix: string, generation: number) {
  return {
    offers: `${prefix}_offers_${generation}`,
    entries: `${prefix}_entries_${generation}`,
  };
}

/**
 * Price fields of a region: amounts in minor units, the discount fraction in 2^53rds, and the state as in
 * `priceStates`. Values are small, since the server reads all of them to change one.
 */
export function priceFields(region: Region) {
  return {
    price: `price_${region}`,
    state: `state_${region}`,
    discount: `discount_${region}`,
    percent: `percent_${region}`,
    updated: `updated_${region}`,
    lowestSince: `lowest_${region}`,
  };
}

/** States of a price; a price that is the lowest on record is on sale. */
export const priceStates = { regular: 0, onSale: 1, lowest: 2 } as const;

/**
 * With a non-default locale the server splits words by Unicode rules, scripts without spaces by dictionaries, and folds
 * case and accents of every script. This one has no rules of its own for Latin letters; some others do not fold accents
 * or correct typos.
 */
const locale = "el";

/** Text fields; titles also with spaces in place of punctuation. */
export const textFields = {
  title: "title",
  spellings: "title_spellings",
  description: "description",
} as const;

/** Facets that are also searched by words. */
export const searchedFacets = {
  developer: "developer",
  publisher: "publisher",
  tagName: "tag_name",
} as const;

/** Integers to order by: for equal relevance by type and title length; else by id. */
export const orderFields = { text: "text_rank", id: ["id_order_0", "id_order_1"] } as const;

const optional =
  (type: CollectionFieldSchema["type"], extra: Partial<CollectionFieldSchema> = {}) =>
  (name: string): CollectionFieldSchema => ({ name, type, optional: true, ...extra });

/** Fields of the prices in a region. */
export function regionSchema(region: Region): CollectionFieldSchema[] {
  const { price, state, ...others } = priceFields(region);
  return [
    optional("int64", { facet: true })(price),
    optional("int32", { sort: false })(state),
    ...Object.values(others).map(optional("int64")),
  ];
}

/**
 * Every field is optional: prices and vectors may precede their offer.
 *
 * @param vectors fields of the vectors, if any
 */
export function offersSchema(name: string, vectors: readonly CollectionFieldSchema[]) {
  const int64 = optional("int64");
  const searched = new Set<string>(Object.values(searchedFacets));
  const fields: CollectionFieldSchema[] = [
    ...["is_offer", "has_giveaway"].map(optional("bool")),
    ...["terms"].map(optional("string")),
    ...[textFields.title, textFields.description].map(optional("string", { locale })),
    optional("string[]", { locale })(textFields.spellings),
    ...[...facets].map(([facet, { isList = false }]) =>
      optional(isList ? "string[]" : "string", {
        facet: true,
        ...(searched.has(facet) && { locale }),
      })(facet),
    ),
    optional("int32")(orderFields.text),
    ...[...orderFields.id, ...integerColumns.values()].map(int64),
    // Release 0.2.0 searches in these whether they have prices or not; empty fields take next to no memory.
    ...regions.flatMap(({ region }) => regionSchema(region)),
    ...vectors,
  ];
  return { name, fields };
}

/** Every entry has all fields. */
export function entriesSchema(name: string) {
  const fields: CollectionFieldSchema[] = [
    { name: "timestamp", type: "int64" },
    { name: "terms", type: "string" },
    { name: "text", type: "string", locale },
    ...orderFields.id.map((field): CollectionFieldSchema => ({ name: field, type: "int64" })),
  ];
  return { name, fields };
}

/** Names that differ from their kinds. */
const facetNames: Readonly<Partial<Record<TermKind, string>>> = {
  type: "offer_type",
  tag: "tag_id",
};

/** The facet that counts a field. */
export function facetOf({ kind }: Pick<NamedField, "kind">): string {
  return facetNames[kind] ?? snakeCase(kind);
}

/** The counted fields, by facet. */
export const facets: ReadonlyMap<string, NamedField> = new Map(
  [...indexedCounts, ...facetFields.values()].map((field) => [facetOf(field), field]),
);

/**
 * Token of a term, in its field and in filters: terms share a token only if they are equal byte for byte, and no
 * character has a meaning in filters. Typesense itself would treat `AT&T`, `at t` and `ATT` as equal, and cannot filter
 * by `!?`.
 */
export function termToken({ kind, value }: { kind: string; value: string }): string {
  return `v${createHash("sha256").update(`${kind}\0${value}`).digest("hex").slice(0, 24)}`;
}
