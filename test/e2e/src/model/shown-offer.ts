import type { OfferRecord, OfferTextRecord } from "./records.ts";

/** The eleven members that a text overlays. */
const overlaid = [
  "title",
  "description",
  "longDescription",
  "developerDisplayName",
  "publisherDisplayName",
  "seller",
  "tags",
  "offerMappings",
  "productSlug",
  "urlSlug",
  "url",
] as const;

/** An offer with its text in a locale laid over it, without a price. */
export function shownOffer(
  record: OfferRecord,
  text: OfferTextRecord | undefined,
  locale: string,
): Record<string, unknown> {
  const canonical = {
    id: record.id,
    namespace: record.namespace,
    offerType: record.offerType,
    keyImages: record["keyImages"],
    releaseDate: record.releaseDate,
    lastModifiedDate: record.lastModifiedDate,
    ...Object.fromEntries(overlaid.map((member) => [member, record[member]])),
  };
  if (locale === "en-US") return { ...canonical, locale, localeStatus: "canonical" };
  if (text === undefined) {
    return { ...canonical, locale, localeStatus: "fallback", canonicalLocale: "en-US" };
  }
  const overlay = overlaid.filter((member) => Object.hasOwn(text, member));
  return {
    ...canonical,
    ...Object.fromEntries(overlay.map((member) => [member, text[member]])),
    locale,
    localeStatus: "localized",
    canonicalLocale: "en-US",
    localization: {
      source: text.source,
      fetchedAt: text.fetchedAt,
      sourceUpdatedAt: text.sourceUpdatedAt,
    },
  };
}
