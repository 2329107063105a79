import { regions } from "@storefront/domain/regions";
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

/** Members of a document of the index; null takes one away. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an offer, all of them, so that nothing of an earlier state stays. */
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

/** Takes an offer away; prices and a vector stay. */
export function removedOfferFields(): Fields {
  return { is_offer: false };
}

/** Decimal numbers of 64 bits that order texts, but for what follows their first 16 bytes, by code point. */
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
 * Prices of an offer in the regions that they are written for.
 *
 * @param isCopied whether there is none yet that could have to go
 */
export function pricesFields(offer: OfferPrices, isCopied: boolean): Fields {
  const fields: Record<string, unknown> = {};
  const written = offer.regions ?? regions.map(({ region }) => region);
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
    // Fractions of prices that differ do so by more than 2^-53.
    fields[names.percent] = originalPrice === 0 ? 0 : Math.round((off / originalPrice) * 2 ** 53);
    fields[names.updated] = times.updatedAtMs ?? null;
    fields[names.lowestSince] = times.lowestSinceMs ?? null;
  }
  return fields;
}

function textsOf({ title, description, offerType }: OfferDocument): Fields {
  const chunks = chunksOf(title ?? "");
  const words = chunks.flatMap(({ runs }) => runs);
  // The server joins what is between punctuation within a word: `Assassin's` is one.
  const apart = chunks.length === words.length ? [] : [words.join(" ")];
  // Beside other letters than Latin ones, and as other signs than those of ASCII, a sign may part words that a query,
  // which has none, does not.
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

/** A model that the server embeds with by itself. */
export interface ServerModel {
  /** As the server calls it: `ts/e5-small` is one it runs, `openai/…` one of an endpoint. */
  readonly name: string;
  /** For models of an endpoint. */
  readonly apiKey?: string | undefined;
  /** For `openai/…` models of an endpoint that is not OpenAI's; without `/v1/embeddings`. */
  readonly url?: string | undefined;
}

/**
 * Fields of the two sets of vectors that are given, and of whether each counts: a vector that is taken out of a
 * document is still found.
 */
export const vectorFields: Readonly<Record<VectorSet, { vector: string; counts: string }>> = {
  0: { vector: "vector_0", counts: "has_vector_0" },
  1: { vector: "vector_1", counts: "has_vector_1" },
};

/** Fields of the vectors that the server makes: of which text, into which, and whether they count. */
export const embedding = {
  text: "meaning_text",
  vector: "meaning_vector",
  counts: "has_meaning",
} as const;

/** Fields for vectors that are given, of so many dimensions. */
export function givenVectorsSchema(dimensions: number): CollectionFieldSchema[] {
  return Object.values(vectorFields).flatMap(({ vector, counts }): CollectionFieldSchema[] => [
    { name: vector, type: "float[]", optional: true, num_dim: dimensions },
    { name: counts, type: "bool", optional: true },
  ]);
}

/** Fields for vectors that the server makes. */
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

/** Members after which no given vector counts. */
export const noGivenVectors = Object.fromEntries(
  Object.values(vectorFields).map(({ counts }) => [counts, false]),
);

/** Members after which no made vector counts. Its text stays, so that the same one is not embedded again. */
export const noMadeVector = { [embedding.counts]: false };
