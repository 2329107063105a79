import { regions } from "@storefront/regions";
import { filterFields, flagsOf, isCounted, termsOf, valuesOf } from "../../domain/offer-terms.ts";
import { chunksOf } from "../../domain/text-words.ts";
import { baseGameRank, typeRank } from "../../domain/offer-order.ts";
import { integerColumns } from "../column-names.ts";
import type { OfferDocument, OfferPrices } from "../index-documents.ts";
import { orderFields, priceFields, priceStates, textFields } from "./collections.ts";
import { wordsOf } from "./search-text.ts";
import { facets, termToken } from "./term-fields.ts";

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

/** The values of each facet. */
function facetsOf(offer: OfferDocument): Fields {
  return Object.fromEntries(
    [...facets].map(([name, field]) => {
      const values = valuesOf(offer, field).filter(isCounted);
      return [name, field.isList === true ? values : (values[0] ?? null)];
    }),
  );
}
