import type { Region } from "@storefront/domain/identifiers";
import type { CollectionFieldSchema } from "typesense";
import { baseGameRank, typeRank } from "../../domain/offer-order.ts";
import { filterFields, flagsOf, isCounted, termsOf, valuesOf } from "../../domain/offer-terms.ts";
import { chunksOf } from "../../domain/text-words.ts";
import { integerColumns } from "../../domain/column-names.ts";
import type { OfferDocument, OfferPrices, VectorSet } from "../index-documents.ts";
import {
  facets,
  orderFields,
  priceFields,
  priceStates,
  termToken,
  textFields,
} from "./collections.ts";
import { wordsOf } from "./search-text.ts";

/** Members of an index document; null removes one. */
export type Fields = Readonly<Record<string, unknown>>;

/** All fields of an offer, so that nothing of an earlier state stays. */
export function offerFields(offer: OfferDocument): Fields {
  const terms = [...termsOf(offer, filterFields), ...flagsOf(offer)];
  return {
    is_offer: true,
    has_giveaway: offer.hasGiveaway,
    terms: terms.map(termToken).join(" "),
    ...textsOf(offer),
    ...orderOf(offer.offerId),
    ...facetsOf(offer),
    ...Object.fromEntries(
      [...integerColumns].map(([name, column]) => [column, offer[name] ?? null]),
    ),
  };
}

/** Removes an offer; prices and a vector stay. */
export function removedOfferFields(): Fields {
  return { is_offer: false };
}

/** 64-bit decimal numbers that order ids by the code points of their first 16 bytes. */
export function orderOf(id: string): Fields {
  const bytes = Buffer.alloc(16);
  bytes.write(id);
  return Object.fromEntries(
    orderFields.id.map((field, at) => [
      field,
      (bytes.readBigUInt64BE(at * 8) - 2n ** 63n).toString(),
    ]),
  );
}

/**
 * An offer's prices in the written regions.
 *
 * @param regions that have fields
 * @param isCopied whether there are no older prices to remove
 */
export function pricesFields(
  offer: OfferPrices,
  regions: ReadonlySet<Region>,
  isCopied: boolean,
): Fields {
  const fields: Record<string, unknown> = {};
  const written = offer.regions ?? regions;
  for (const region of isCopied ? [] : written) {
    for (const field of Object.values(priceFields(region))) fields[field] = null;
  }
  for (const { region, originalPrice, discountPrice, isLowest, ...times } of offer.prices) {
    const names = priceFields(region);
    const off = originalPrice - discountPrice;
    const reduced = isLowest ? priceStates.lowest : priceStates.onSale;
    fields[names.price] = discountPrice;
    fields[names.state] = off > 0 ? reduced : priceStates.regular;
    fields[names.discount] = off;
    // Different fractions of prices differ by more than 2^-53.
    fields[names.percent] = originalPrice === 0 ? 0 : Math.round((off / originalPrice) * 2 ** 53);
    fields[names.updated] = times.updatedAtMs ?? null;
    fields[names.lowestSince] = times.lowestSinceMs ?? null;
  }
  return fields;
}

function textsOf({ title, description, offerType }: OfferDocument): Fields {
  const chunks = chunksOf(title ?? "");
  const words = chunks.flatMap(({ runs }) => runs);
  // The server joins text around punctuation within a word: `Assassin's` is one.
  const apart = chunks.length === words.length ? [] : [words.join(" ")];
  // Beside non-Latin letters, or as a non-ASCII sign, a sign may split words that a query without it does not.
  const unsigned = /[^\p{Script=Latin}\p{N}\p{M}\p{ASCII}]/u.test(title ?? "")
    ? [wordsOf(title ?? "").join(" ")].filter((text) => text !== title)
    : [];
  const spellings = [...apart, ...unsigned];
  const rank = baseGameRank - typeRank(offerType);
  return {
    [textFields.title]: title ?? null,
    [textFields.spellings]: spellings.length === 0 ? null : spellings,
    [textFields.description]: description ?? null,
    [orderFields.text]: rank * 1_000 + Math.min(words.join(" ").length, 999),
  };
}

function facetsOf(offer: OfferDocument): Fields {
  return Object.fromEntries(
    [...facets].map(([name, field]) => {
      const values = valuesOf(offer, field).filter(isCounted);
      return [name, field.isList === true ? values : (values[0] ?? null)];
    }),
  );
}

/** A model of the server. */
export interface ServerModel {
  /** The server's name of it: `ts/e5-small` runs on the server, `openai/…` on an endpoint. */
  readonly name: string;
  /** For models of an endpoint. */
  readonly apiKey?: string | undefined;
  /** For `openai/…` models on another endpoint than OpenAI's; without `/v1/embeddings`. */
  readonly url?: string | undefined;
}

/**
 * Fields of both sets of vectors, and whether each is effective: the server still finds a vector that was removed from
 * a document.
 */
export const vectorFields: Readonly<Record<VectorSet, { vector: string; counts: string }>> = {
  0: { vector: "vector_0", counts: "has_vector_0" },
  1: { vector: "vector_1", counts: "has_vector_1" },
};

/** Fields of the server's vectors: the text, the vector, and whether it is effective. */
export const embedding = {
  text: "meaning_text",
  vector: "meaning_vector",
  counts: "has_meaning",
} as const;

/** Fields for vectors in writes. */
export function givenVectorsSchema(dimensions: number): CollectionFieldSchema[] {
  return Object.values(vectorFields).flatMap(({ vector, counts }): CollectionFieldSchema[] => [
    { name: vector, type: "float[]", optional: true, num_dim: dimensions },
    { name: counts, type: "bool", optional: true },
  ]);
}

/** Fields for vectors of the server's model. */
export function madeVectorsSchema({ name, apiKey, url }: ServerModel): CollectionFieldSchema[] {
  const model = {
    model_name: name,
    ...(apiKey === undefined ? {} : { api_key: apiKey }),
    ...(url === undefined ? {} : { url }),
  };
  return [
    { name: embedding.counts, type: "bool", optional: true },
    { name: embedding.text, type: "string", optional: true },
    {
      name: embedding.vector,
      type: "float[]",
      optional: true,
      embed: { from: [embedding.text], model_config: model },
    },
  ];
}

/** Disables an offer's vectors. */
export const noGivenVectors = Object.fromEntries(
  Object.values(vectorFields).map(({ counts }) => [counts, false]),
);

/** Disables the server's vector. The text stays, so that the same one is not embedded again. */
export const noMadeVector = { [embedding.counts]: false };
