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
 * Fields of the price in a region: amounts in minor units, the share off in 2^53rds, and the state as in `priceStates`.
 * Their values are small because the server reads all of them to change one.
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

/** Values of a price's state; a price that is the lowest on record is on sale. */
export const priceStates = { regular: 0, onSale: 1, lowest: 2 } as const;

/**
 * With a locale other than the default the server cuts words as Unicode does, scripts without spaces by
 * dictionaries, and folds case and accents of every script. This one has no rules of its own for Latin
 * letters, while some others fold no accents or correct no typos.
 */
const locale = "el";

/** Where texts are stored: titles also as they are spelled with spaces in place of punctuation. */
export const textFields = {
  title: "title",
  spellings: "title_spellings",
  description: "description",
} as const;

/** Facets that are searched by words as well. */
export const searchedFacets = {
  developer: "developer",
  publisher: "publisher",
  tagName: "tag_name",
} as const;

/** Integers that order offers: by text alike, by how much is said by the title; else by id. */
export const orderFields = { text: "text_rank", id: ["id_order_0", "id_order_1"] } as const;

const optional =
  (type: CollectionFieldSchema["type"], extra: Partial<CollectionFieldSchema> = {}) =>
  (name: string): CollectionFieldSchema => ({ name, type, optional: true, ...extra });

/**
 * Every field is optional: prices and vectors may come before their offer.
 *
 * @param vectors fields of the vectors, if there are any
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
    ...regions.flatMap(({ region }) => {
      const { price, state, ...others } = priceFields(region);
      return [
        optional("int64", { facet: true })(price),
        optional("int32", { sort: false })(state),
        ...Object.values(others).map(int64),
      ];
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
    { name: "text", type: "string", locale },
    ...orderFields.id.map((field): CollectionFieldSchema => ({ name: field, type: "int64" })),
  ];
  return { name, fields };
}

/** Those that were named before kinds were. */
const facetNames: Readonly<Partial<Record<TermKind, string>>> = {
  type: "offer_type",
  tag: "tag_id",
};

/** The facet that counts a field. */
export function facetOf({ kind }: Pick<NamedField, "kind">): string {
  return facetNames[kind] ?? snakeCase(kind);
}

/** The fields that are counted, by their facet. */
export const facets: ReadonlyMap<string, NamedField> = new Map(
  [...indexedCounts, ...facetFields.values()].map((field) => [facetOf(field), field]),
);

/**
 * Stands for a term in the field of tokens and in filters, byte for byte: two terms share a token only if they are
 * equal, and no value has a letter that means anything in a filter. Typesense itself would take
 * `AT&T`, `at t` and `ATT` for one, and cannot filter by `!?` at all.
 */
export function termToken({ kind, value }: { kind: string; value: string }): string {
  return `v${createHash("sha256").update(`${kind}\0${value}`).digest("hex").slice(0, 24)}`;
}
