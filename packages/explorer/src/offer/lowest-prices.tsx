import type { PriceLow, PriceLows } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { lowestTimes } from "../format/lowest-time.ts";
import { formatMoney } from "../format/money.ts";
import { useSettings } from "../layout/use-settings.ts";
import { exclusionsText } from "./exclusions-text.ts";
import { lowDaysOf } from "./low-days.ts";
import "../styles/lowest-prices.css";

interface LowestPricesProps {
  lows: PriceLows;
  /** ISO 4217 code of the amounts. */
  currency: string;
}

/** The lowest prices of the last days and ever, since when there are any, and what does not count. */
export function LowestPrices({ lows, currency }: LowestPricesProps) {
  const { locale } = useSettings();
  const { since, exclusions } = lows;
  return (
    <>
      {since === null ? null : (
        <dl className="lows">
          {lowestTimes.map(({ time, name }) => (
            <div key={time}>
              <dt>{name}</dt>
              <Low low={lows[time]} currency={currency} />
            </div>
          ))}
        </dl>
      )}
      <p className="lows__note">
        {since === null
          ? "There is no lowest price yet."
          : `On record since ${formatDay(since, locale)}.`}
        {exclusions.length === 0 ? null : ` Not counted: ${exclusionsText(exclusions)}.`}
      </p>
    </>
  );
}

function Low({ low, currency }: { low: PriceLow | null; currency: string }) {
  const { locale } = useSettings();
  if (low === null) return <dd className="lows__price">–</dd>;
  return (
    <>
      <dd className="lows__price">{formatMoney(low.discountPrice, currency, locale)}</dd>
      {lowDaysOf(low, locale).map((part) => (
        <dd key={part} className="lows__days">
          {part}
        </dd>
      ))}
    </>
  );
}
