import { regions } from "@storefront/regions";
import { indexWords, textKey } from "../../domain/text-words.ts";
import { baseGameRank, typeRank } from "../../domain/type-rank.ts";
import { filterFields, flagsOf, termsOf, valuesOf } from "../../domain/offer-terms.ts";
import { integerColumns } from "../column-names.ts";
import type { OfferDocument, OfferPrices } from "../index-documents.ts";
import { priceFields } from "./collections.ts";
import { facets, termToken, tokenFieldOf, tokenFields } from "./term-fields.ts";
import { letterPrefixes, orderKey, searchableTokens, startToken, valueToken } from "./tokens.ts";

/** Members of a document of the index; null takes one away. */
export type Fields = Readonly<Record<string, unknown>>;

/** Longer beginnings of titles are not told apart. */
export const maxTitleStart = 64;

/** The fields of an offer, all of them, so that nothing of an earlier state stays. */
export function offerFields(offer: OfferDocument): Fields {
  const titleKey = textKey(offer.title ?? "");
  const title = indexWords(offer.title ?? "", { joinsNeighbours: true });
  const makers = [offer.developer, offer.publisher].flatMap((name) => indexWords(name ?? ""));
  const tags = offer.tagNames.flatMap((name) => indexWords(name));
  const idOrder = orderKey(offer.offerId);
  const titleLength = Math.min(Array.from(titleKey).length, 999);
  return {
    is_offer: true,
    has_giveaway: offer.hasGiveaway,
    ...tokensOf(offer),
    title_key: titleKey === "" ? null : valueToken("title", titleKey),
    title_starts: letterPrefixes(titleKey).slice(0, maxTitleStart).map(startToken),
    title_words: searchableTokens(title),
    named_words: searchableTokens([...title, ...makers]),
    tagged_words: searchableTokens([...title, ...makers, ...tags]),
    all_words: searchableTokens(wordsOf(offer)),
    id_order: idOrder,
    text_order: `${baseGameRank - typeRank(offer.offerType)}${String(titleLength).padStart(3, "0")}${idOrder}`,
    ...facetsOf(offer),
    ...integersOf(offer),
  };
}

/** All words an offer is found by, with repetitions. */
export function wordsOf({ title, developer, publisher, tagNames, description }: OfferDocument) {
  return [
    ...indexWords(title ?? "", { joinsNeighbours: true }),
    ...[developer, publisher, ...tagNames, description].flatMap((text) => indexWords(text ?? "")),
  ];
}

/** Takes an offer away; prices and a vector stay. */
export function removedOfferFields(): Fields {
  return { is_offer: false };
}

/** The fields of all prices of an offer, those of regions without one included. */
export function pricesFields({ prices }: OfferPrices): Fields {
  const fields: Record<string, unknown> = {};
  for (const { region } of regions) {
    for (const field of Object.values(priceFields(region))) fields[field] = null;
  }
  const terms: string[] = [];
  for (const { region, originalPrice, discountPrice, isLowest, ...times } of prices) {
    const names = priceFields(region);
    const off = originalPrice - discountPrice;
    fields[names.price] = discountPrice;
    fields[names.discount] = off;
    // Fractions of prices that differ do so by more than 2^-53.
    fields[names.percent] = originalPrice === 0 ? 0 : Math.round((off / originalPrice) * 2 ** 53);
    fields[names.updated] = times.updatedAtMs ?? null;
    fields[names.lowestSince] = times.lowestSinceMs ?? null;
    terms.push(valueToken("priced", region));
    if (off > 0) terms.push(valueToken("onSale", region));
    if (isLowest) terms.push(valueToken("lowest", region));
  }
  return { ...fields, price_terms: terms.join(" ") };
}

/** The tokens of each field of tokens. */
function tokensOf(offer: OfferDocument): Fields {
  const terms = [...termsOf(offer, filterFields), ...flagsOf(offer)];
  return Object.fromEntries(
    tokenFields.map((field) => [
      field,
      terms
        .filter(({ kind }) => tokenFieldOf(kind) === field)
        .map(termToken)
        .join(" "),
    ]),
  );
}

/** The values of each facet. */
function facetsOf(offer: OfferDocument): Fields {
  return Object.fromEntries(
    [...facets].map(([name, field]) => {
      const values = valuesOf(offer, field).filter((value) => value !== "");
      return [name, field.isList === true ? values : (values[0] ?? null)];
    }),
  );
}

function integersOf(offer: OfferDocument): Fields {
  return Object.fromEntries(
    [...integerColumns].map(([name, column]) => [column, offer[name] ?? null]),
  );
}
