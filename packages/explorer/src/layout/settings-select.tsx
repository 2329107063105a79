import { Combobox } from "@base-ui/react/combobox";
import { asCountry, asLocale } from "@storefront/domain/identifiers";
import { ChevronDown } from "lucide-react";
import { useMemo } from "react";
import { useRegions } from "../api/trpc.ts";
import { countryName, localeEnglishName, localeName } from "../format/names.ts";
import { locales } from "../settings.ts";
import { useChangeSettings, useSettings } from "./use-settings.ts";

interface Country {
  /** ISO 3166-1 alpha-2 code. */
  value: string;
  label: string;
}

/** Chooses the country whose prices are shown. */
export function CountrySelect() {
  const { country } = useSettings();
  const changeSettings = useChangeSettings();
  const countries = useCountries(country);
  const chosen = countries.find(({ value }) => value === country) ?? null;
  return (
    <Combobox.Root
      items={countries}
      value={chosen}
      onValueChange={(value) => {
        if (value !== null) changeSettings({ country: asCountry(value.value) });
      }}
    >
      <Combobox.Trigger className="select" aria-label={`Country: ${chosen?.label ?? country}`}>
        <span className="select__value">{country}</span>
        <ChevronDown aria-hidden="true" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className="popup-positioner" sideOffset={6} align="end">
          <Combobox.Popup className="popup popup--list" aria-label="Choose a country">
            <Combobox.Input
              className="popup__input"
              placeholder="Find a country"
              aria-label="Find a country"
            />
            <Combobox.Empty className="popup__empty">No such country</Combobox.Empty>
            <Combobox.List className="popup__list">
              {(item: Country) => (
                <Combobox.Item key={item.value} value={item} className="popup__item">
                  <span>{item.label}</span>
                  <span className="popup__hint">{item.value}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

// The list is the gateway's: countries with prices. Until it has loaded, the chosen one.
function useCountries(country: string): Country[] {
  const { data: regions } = useRegions();
  return useMemo(() => {
    const codes = new Set([country, ...(regions ?? []).flatMap(({ countries }) => countries)]);
    return Array.from(codes, (value) => ({ value, label: countryName(value) })).toSorted((a, b) =>
      a.label.localeCompare(b.label, "en"),
    );
  }, [regions, country]);
}

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
