import type { Locale } from "@storefront/domain/identifiers";
import type { PricePoint } from "../api/types.ts";

// Not taken from Intl, which has the usual decimals, different between browsers, and not the minor units.
const wholeUnitCurrencies = new Set(["CLP", "JPY", "KRW", "VND"]);

/** How many minor units make one unit of a currency: 100 for USD, 1 for JPY. */
export function minorUnitsOf(currency: string): number {
  return wholeUnitCurrencies.has(currency) ? 1 : 100;
}

const formats = new Map<string, Intl.NumberFormat>();

// Making a format costs more than using it a thousand times.
function formatOf(locale: Locale, currency: string, isBound: boolean): Intl.NumberFormat {
  const key = `${locale} ${currency} ${isBound}`;
  const format = formats.get(key) ?? createFormat(locale, currency, isBound);
  formats.set(key, format);
  return format;
}

// All decimals that there are; where people write none, only when there is something in them.
function createFormat(locale: Locale, currency: string, isBound: boolean): Intl.NumberFormat {
  const style = { style: "currency", currency } as const;
  const { maximumFractionDigits: usual = 2 } = new Intl.NumberFormat(
    locale,
    style,
  ).resolvedOptions();
  const digits = minorUnitsOf(currency) === 1 ? 0 : 2;
  return new Intl.NumberFormat(locale, {
    ...style,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    trailingZeroDisplay: isBound || usual < digits ? "stripIfInteger" : "auto",
  });
}

/** An amount of minor units as people of the locale write it; nothing to pay is "Free". */
export function formatMoney(minorUnits: number, currency: string, locale: Locale): string {
  if (minorUnits === 0) return "Free";
  return formatOf(locale, currency, false).format(minorUnits / minorUnitsOf(currency));
}

/** As `formatMoney`, without the decimals of a whole amount: for bounds and the ticks of a scale. */
export function formatBound(minorUnits: number, currency: string, locale: Locale): string {
  if (minorUnits === 0) return "Free";
  return formatOf(locale, currency, true).format(minorUnits / minorUnitsOf(currency));
}

/** The share taken off in whole percent, 0 when nothing is. Never 100 unless it is free. */
export function discountPercentOf({
  price,
}: {
  price: Pick<PricePoint["price"], "originalPrice" | "discount">;
}): number {
  const { originalPrice, discount } = price;
  if (originalPrice === 0 || discount <= 0) return 0;
  const percent = (discount / originalPrice) * 100;
  return percent === 100 ? 100 : Math.min(99, Math.max(1, Math.round(percent)));
}
