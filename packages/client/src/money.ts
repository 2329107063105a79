/** An amount in minor units, as prices have it. */
export interface Money {
  /** Minor units: 1999 is 19.99 of a currency with two decimals. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currencyCode: string;
  /** Of the currency's amounts, as `currencyDecimals` of prices and regions. */
  readonly currencyDecimals: number;
}

/** The amount in the currency's major unit: 19.99 for 1999 with two decimals. */
export function majorUnits({
  amount,
  currencyDecimals,
}: Pick<Money, "amount" | "currencyDecimals">): number {
  return amount / 10 ** currencyDecimals;
}

const formats = new Map<string, Intl.NumberFormat>();

/**
 * The amount in the notation of the locale, with as many decimals as the currency's amounts have. Where fewer are
 * usual, whole amounts have none.
 *
 * @param locale BCP 47, for example `de-DE`
 */
export function formatMoney(money: Money, locale: string): string {
  const { currencyCode, currencyDecimals } = money;
  const key = `${locale} ${currencyCode} ${currencyDecimals}`;
  const format = formats.get(key) ?? createFormat(locale, currencyCode, currencyDecimals);
  // Creating a format costs as much as a thousand uses.
  formats.set(key, format);
  return format.format(majorUnits(money));
}

function createFormat(locale: string, currency: string, decimals: number): Intl.NumberFormat {
  const style = { style: "currency", currency } as const;
  const usual = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? 2;
  return new Intl.NumberFormat(locale, {
    ...style,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    trailingZeroDisplay: usual < decimals ? "stripIfInteger" : "auto",
  });
}
