import type { Country, Locale } from "@storefront/domain/identifiers";
import type { Offer, Region } from "../api/types.ts";

const offerTypes: Readonly<Record<string, string>> = {
  BASE_GAME: "Game",
  DLC: "DLC",
  ADD_ON: "Add-on",
};

/** An offer's type in words: "Game", "Add-on", "Virtual currency". */
export function offerTypeName(offerType: string): string {
  const words = offerType.toLowerCase().replaceAll("_", " ");
  return offerTypes[offerType] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

// The page's own words are English, whatever the locale of the offers' texts.
const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** A country's name; its code when it has none. */
export function countryName(country: string): string {
  return countryNames.of(country) ?? country;
}

/** A locale's name in its own language. */
export function localeName(locale: string): string {
  return new Intl.DisplayNames(locale, { type: "language" }).of(locale) ?? locale;
}

/** A locale's name in English. */
export function localeEnglishName(locale: string): string {
  return languageNames.of(locale) ?? locale;
}

const regionNames: Readonly<Record<string, string>> = {
  AFRICA: "Africa",
  ANZ: "Oceania",
  CIS: "CIS",
  EAST: "Eastern Europe",
  EURO: "Euro area",
  LATAM: "Latin America",
  MIDEAST: "Middle East",
  ROW: "Rest of the world",
  SEA: "South-East Asia",
};

/** A pricing region's name: a country's where its code is one, such as `BR2` or `MX2`. */
export function regionName({ region, countries }: Pick<Region, "region" | "countries">): string {
  const named = regionNames[region];
  if (named !== undefined) return named;
  const code = region.slice(0, 2);
  return countryName(countries.includes(code) ? code : (countries[0] ?? region));
}

/** A size in the unit that suits it, such as "42.3 GB". */
export function formatSize(sizeBytes: number, locale: Locale): string {
  const units = ["kilobyte", "megabyte", "gigabyte"] as const;
  const power = Math.min(3, Math.max(1, Math.floor(Math.log10(Math.max(sizeBytes, 1)) / 3)));
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: units[power - 1] ?? "kilobyte",
    maximumFractionDigits: 1,
  }).format(sizeBytes / 1000 ** power);
}

/** The language of an offer's texts, if it is not the page's. */
export function langOf({ locale, localeStatus }: Pick<Offer, "locale" | "localeStatus">): {
  lang?: string;
} {
  return localeStatus === "localized" ? { lang: locale } : {};
}

/** The region of a country's prices; for a country in none, that of `US`, else the first, as by default. */
export function regionOf(regions: readonly Region[], country: Country): Region | undefined {
  const of = (code: string) => regions.find(({ countries }) => countries.includes(code));
  return of(country) ?? of("US") ?? regions[0];
}
