import { asLocale } from "@storefront/identifiers";
import { locales } from "../settings.ts";
import { localeEnglishName, localeName } from "../format/names.ts";
import { useChangeSettings, useSettings } from "./use-settings.ts";

/** Chooses the locale of the offers' texts, and of numbers and dates. */
export function LocaleSelect() {
  const { locale } = useSettings();
  const changeSettings = useChangeSettings();
  const choices = new Set<string>([...locales, locale]);
  return (
    <label className="select select--native">
      <span className="visually-hidden">Language of the offers: {localeEnglishName(locale)}</span>
      <span className="select__value" aria-hidden="true">
        {locale.slice(0, 2).toUpperCase()}
      </span>
      <select
        name="locale"
        value={locale}
        onChange={({ target }) => changeSettings({ locale: asLocale(target.value) })}
      >
        {Array.from(choices, (choice) => (
          <option key={choice} value={choice} lang={choice}>
            {localeName(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}
