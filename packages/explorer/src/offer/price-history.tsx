import { useQuery } from "@tanstack/react-query";
import type { Locale } from "@storefront/domain/identifiers";
import { useTRPC } from "../api/trpc.ts";
import type { Overview, PricePoint, PriceLow, PriceLows } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { formatMoney } from "../format/money.ts";
import { countryName } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { FailurePanel } from "../ui/state-panel.tsx";
import { TableHead } from "../ui/table-head.tsx";
import { PriceChart } from "./price-chart.tsx";
import { Section } from "./section.tsx";
import { lowestTimes, lowDaysOf } from "../format/lowest-time.ts";
import type { Currency } from "../format/money.ts";
import "../styles/lowest-prices.css";

const columns = [
  ["From"],
  ["Price", "number"],
  ["Full price", "number"],
  ["Off", "number"],
] as const;

/** Prices on the chart, the largest page of the gateway. */
const pointsMax = 500;

interface PriceHistoryProps {
  /** The offer's id. */
  id: string;
  /** The current price, with its lows if they are known. */
  price: Overview["price"];
}

/** The offer's past prices in the chosen country, as a chart and as a table. */
export function PriceHistory({ id, price }: PriceHistoryProps) {
  const trpc = useTRPC();
  const { country, locale } = useSettings();
  const { data, error, refetch } = useQuery(
    trpc.pricing.listPriceHistory.queryOptions({ id, country, limit: pointsMax }),
  );
  return (
    <Section title={`Price history, ${countryName(country)}`}>
      {price?.lows ? <LowestPrices lows={price.lows} currency={price.price} /> : null}
      {error && data === undefined ? (
        <FailurePanel
          error={error}
          subject="The price history"
          level={3}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <div className="skeleton chart-skeleton" />
      ) : data.elements.length === 0 ? (
        <p className="section__empty">It was never priced here.</p>
      ) : (
        <>
          <PriceChart points={data.elements} low={price?.lows?.ever ?? null} locale={locale} />
          <HistoryTable points={data.elements} locale={locale} />
        </>
      )}
    </Section>
  );
}

interface HistoryTableProps {
  /** Newest first. */
  points: readonly PricePoint[];
  locale: Locale;
}

function HistoryTable({ points, locale }: HistoryTableProps) {
  return (
    <details className="disclosure">
      <summary>
        As a table ({points.length} {points.length === 1 ? "price" : "prices"})
      </summary>
      <table className="table">
        <TableHead columns={columns} />
        <tbody>
          {points.map((point) => {
            const { discountPrice, originalPrice, percentOff } = point.price;
            return (
              <tr key={point.updatedAt}>
                <th scope="row">{formatDay(point.updatedAt, locale)}</th>
                <td className="table__number">{formatMoney(discountPrice, point.price, locale)}</td>
                <td className="table__number">{formatMoney(originalPrice, point.price, locale)}</td>
                <td className="table__number">{percentOff === 0 ? "" : `${percentOff}%`}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}

interface LowestPricesProps {
  lows: PriceLows;
  currency: Currency;
}

/** The lowest prices of the last days and ever, the start of the data, and its exclusions. */
function LowestPrices({ lows, currency }: LowestPricesProps) {
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

/** The exclusions of lows, such as "giveaways and prices before the release". */
function exclusionsText(exclusions: readonly Exclusion[]): string {
  return list.format(exclusions.map((exclusion) => names[exclusion]));
}
