import { indexWords, textKey } from "../../domain/text-words.ts";
import { baseGameRank, typeRank } from "../../domain/type-rank.ts";
import type { OfferDocument, OfferPrices } from "../index-documents.ts";
import { regions } from "@storefront/regions";
import { priceFields } from "./collections.ts";
import { letterPrefixes } from "./letter-prefixes.ts";
import { orderKey, searchableTokens, startToken, valueToken } from "./tokens.ts";

/** Members of a document of the index; null takes one away. */
export type Fields = Readonly<Record<string, unknown>>;

/** Longer beginnings of titles are not told apart. */
export const maxTitleStart = 64;

/** The fields of an offer, all of them, so that nothing of an earlier state stays. */
export function offerFields(offer: OfferDocument): Fields {
  const titleKey = textKey(offer.title ?? "");
  const title = indexWords(offer.title ?? "", { joinsNeighbours: true });
  const makers = [offer.developer, offer.publisher].flatMap((name) => indexWords(name ?? ""));
  const tags = offer.tags.flatMap(({ name }) => indexWords(name ?? ""));
  const idOrder = orderKey(offer.offerId);
  const titleLength = Math.min(Array.from(titleKey).length, 999);
  return {
    is_offer: true,
    has_giveaway: offer.hasGiveaway,
    terms: termsOf(offer).join(" "),
    tag_terms: offer.tags.map(({ id }) => valueToken("tag", id)).join(" "),
    technology_terms: offer.technologies.map((name) => valueToken("technology", name)).join(" "),
    title_key: titleKey === "" ? null : valueToken("title", titleKey),
    title_starts: letterPrefixes(titleKey).slice(0, maxTitleStart).map(startToken),
    title_words: searchableTokens(title),
    named_words: searchableTokens([...title, ...makers]),
    tagged_words: searchableTokens([...title, ...makers, ...tags]),
    all_words: searchableTokens(wordsOf(offer)),
    id_order: idOrder,
    text_order: `${baseGameRank - typeRank(offer.offerType)}${String(titleLength).padStart(3, "0")}${idOrder}`,
    offer_type: offer.offerType || null,
    developer: offer.developer || null,
    publisher: offer.publisher || null,
    seller_name: offer.sellerName || null,
    technology: offer.technologies.filter(Boolean),
    tag_id: offer.tags.map(({ id }) => id).filter(Boolean),
    tag_name: offer.tags.flatMap(({ name }) => name || []),
    release_date: offer.releaseDateMs ?? null,
    last_modified_date: offer.lastModifiedDateMs ?? null,
    effective_date: offer.effectiveDateMs ?? null,
    creation_date: offer.creationDateMs ?? null,
    viewable_date: offer.viewableDateMs ?? null,
    pc_release_date: offer.pcReleaseDateMs ?? null,
    first_giveaway_start: offer.firstGiveawayStartMs ?? null,
    latest_giveaway_end: offer.latestGiveawayEndMs ?? null,
  };
}

/** All words an offer is found by, with repetitions. */
export function wordsOf({ title, developer, publisher, tags, description }: OfferDocument) {
  return [
    ...indexWords(title ?? "", { joinsNeighbours: true }),
    ...[developer, publisher, ...tags.map(({ name }) => name), description].flatMap((text) =>
      indexWords(text ?? ""),
    ),
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
  for (const { region, originalPrice, discountPrice, isLowest, updatedAtMs } of prices) {
    const names = priceFields(region);
    const off = originalPrice - discountPrice;
    fields[names.price] = discountPrice;
    fields[names.discount] = off;
    // Fractions of prices that differ do so by more than 2^-53.
    fields[names.percent] = originalPrice === 0 ? 0 : Math.round((off / originalPrice) * 2 ** 53);
    fields[names.updated] = updatedAtMs ?? null;
    terms.push(valueToken("priced", region));
    if (off > 0) terms.push(valueToken("onSale", region));
    if (isLowest) terms.push(valueToken("lowest", region));
  }
  return { ...fields, price_terms: terms.join(" ") };
}

function termsOf(offer: OfferDocument): string[] {
  const of = (kind: string, value: string | undefined) =>
    value === undefined ? [] : [valueToken(kind, value)];
  return [
    ...of("type", offer.offerType),
    ...offer.categories.map((path) => valueToken("category", path)),
    ...offer.customAttributes.map((key) => valueToken("attribute", key)),
    ...of("seller", offer.sellerId),
    ...of("developer", offer.developer),
    ...of("publisher", offer.publisher),
    ...of("refundType", offer.refundType),
    ...(offer.isCodeRedemptionOnly ? [codeRedemption] : []),
    ...(offer.isBlockchainUsed ? [blockchain] : []),
  ];
}

export const codeRedemption = valueToken("flag", "isCodeRedemptionOnly");
export const blockchain = valueToken("flag", "isBlockchainUsed");
