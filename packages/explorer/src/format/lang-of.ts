import type { Offer } from "../api/types.ts";

/** The language of an offer's texts, where it is not the page's. */
export function langOf({ locale, localeStatus }: Pick<Offer, "locale" | "localeStatus">): {
  lang?: string;
} {
  return localeStatus === "localized" ? { lang: locale } : {};
}
