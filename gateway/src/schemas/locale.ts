import { asLocale } from "@storefront/domain/identifiers";
import type { Locale } from "@storefront/domain/identifiers";

/** The locale of the canonical texts, and of a request that names none. */
export const defaultLocale = asLocale("en-US");

const grammar = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** Whether the text, trimmed, is blank or a locale that can be made canonical. */
export function isLocale(text: string): boolean {
  const locale = text.trim();
  if (locale === "" || locale === defaultLocale) return true;
  if (!grammar.test(locale)) return false;
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}

/** The canonical form of what `isLocale` accepts; the default locale for a blank. */
export function canonicalLocale(text: string): Locale {
  const locale = text.trim();
  if (locale === "" || locale === defaultLocale) return defaultLocale;
  return asLocale(Intl.getCanonicalLocales(locale)[0] ?? defaultLocale);
}
