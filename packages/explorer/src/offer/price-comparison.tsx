import type { PriceLows } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { formatMoney } from "../format/money.ts";
import { useSettings } from "../layout/use-settings.ts";

interface PriceComparisonProps {
  lows: PriceLows;
  /** ISO 4217 code of the amounts. */
  currency: string;
}

/**
 * What the present price can be compared with: the price before it was reduced, the lowest of the 30 days
 * before that, the lowest ever. An amount of which no price counts is "–".
 */
export function PriceComparison({ lows, currency }: PriceComparisonProps) {
  const { locale } = useSettings();
  const { reduction, ever } = lows;
  const money = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? "–" : formatMoney(amount, currency, locale);
  return (
    <dl className="price-comparison">
      {reduction === null ? null : (
        <>
          <Row name="Reduced since">{formatDay(reduction.since, locale) ?? "–"}</Row>
          <Row name="Price before">{money(reduction.priceBefore)}</Row>
          <Row name="Lowest of the 30 days before">{money(reduction.lowest30DaysBefore)}</Row>
        </>
      )}
      <Row name="Lowest ever">{money(ever?.discountPrice)}</Row>
    </dl>
  );
}

function Row({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
