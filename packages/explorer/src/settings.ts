import { asCountry, asLocale } from "@storefront/domain/identifiers";
import type { Country, Locale } from "@storefront/domain/identifiers";
import type { RawParams } from "./raw-params.ts";

/** The country and the language of the visitor. */
export interface Settings {
  /** Determines prices. */
  country: Country;
  /** Determines the offers' texts, and the format of numbers and dates. */
  locale: Locale;
}

/** The settings in a URL. */
export type SettingsParams = Partial<Settings>;

export const defaultSettings: Settings = { country: asCountry("US"), locale: asLocale("en-US") };

/** Locales that can be chosen; a URL may have any other as well. */
export const locales = [
  "en-US",
  "de-DE",
  "es-ES",
  "es-MX",
  "fr-FR",
  "it-IT",
  "ja-JP",
  "ko-KR",
  "pl-PL",
  "pt-BR",
  "ru-RU",
  "th-TH",
  "tr-TR",
  "zh-CN",
  "zh-Hant-TW",
] as const;

/** Parses the settings of a URL; malformed ones count as absent. */
export function parseSettings({ country, locale }: RawParams): SettingsParams {
  return {
    ...(isCountry(country) ? { country: asCountry(country.toUpperCase()) } : {}),
    ...(isLocale(locale) ? { locale: asLocale(locale) } : {}),
  };
}

function isCountry(value: unknown): value is string {
  return typeof value === "string" && /^[a-z]{2}$/i.test(value);
}

function isLocale(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

const storageKey = "settings";

/** Stores the settings for the next visit, if storage is allowed. */
export function rememberSettings(settings: Settings): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings));
  } catch {
    // They are in the URL anyway.
  }
}

/** Adds the settings of the last visit to a URL without any, so that it can be shared. */
export function addRememberedSettings(url: URL): URL {
  const added = new URL(url);
  if (url.searchParams.has("country") || url.searchParams.has("locale")) return added;
  for (const [name, value] of Object.entries(rememberedSettings())) {
    added.searchParams.set(name, value);
  }
  return added;
}

function rememberedSettings(): SettingsParams {
  try {
    return parseSettings(JSON.parse(localStorage.getItem(storageKey) ?? "{}") as RawParams);
  } catch {
    return {};
  }
}
