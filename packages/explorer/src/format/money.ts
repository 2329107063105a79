import { formatMoney as formatAmount, majorUnits } from "@storefront/client";
import type { Money } from "@storefront/client";
import type { Locale } from "@storefront/domain/identifiers";

/** A currency, as prices and regions have it. */
export type Currency = Pick<Money, "currencyCode" | "currencyDecimals">;

/** An amount of minor units in the notation of the locale; 0 is "Free". */
export function formatMoney(
  amount: number,
  { currencyCode, currencyDecimals }: Currency,
  locale: Locale,
): string {
  return amount === 0 ? "Free" : formatAmount({ amount, currencyCode, currencyDecimals }, locale);
}

/** As `formatMoney`, without the decimals of a whole amount: for bounds and the ticks of a scale. */
export function formatBound(
  amount: number,
  { currencyCode, currencyDecimals }: Currency,
  locale: Locale,
): string {
  const units = majorUnits({ amount, currencyDecimals });
  return Number.isInteger(units)
    ? formatMoney(units, { currencyCode, currencyDecimals: 0 }, locale)
    : formatMoney(amount, { currencyCode, currencyDecimals }, locale);
}
