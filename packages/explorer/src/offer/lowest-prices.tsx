import type { PriceLow, PriceLows } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { lowestTimes } from "../format/lowest-time.ts";
import { formatMoney } from "../format/money.ts";
import type { Currency } from "../format/money.ts";
import { useSettings } from "../layout/use-settings.ts";
import "../styles/lowest-prices.css";
import { lowDaysOf } from "./low-days.ts";

interface LowestPricesProps {
  lows: PriceLows;
  currency: Currency;
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

function Low({ low, currency }: { low: PriceLow | null; currency: Currency }) {
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

type Exclusion = PriceLows["exclusions"][number];

const names: Readonly<Record<Exclusion, string>> = {
  giveaway: "giveaways",
  beforeRelease: "prices before the release",
  otherCurrency: "prices in another currency",
};

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** What lows leave out, such as "giveaways and prices before the release". */
function exclusionsText(exclusions: readonly Exclusion[]): string {
  return list.format(exclusions.map((exclusion) => names[exclusion]));
}
