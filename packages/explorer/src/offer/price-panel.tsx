import type { Overview, PriceLows } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { formatMoney } from "../format/money.ts";
import type { Currency } from "../format/money.ts";
import { countryName } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import "../styles/price-panel.css";
import { Price } from "../ui/price.tsx";
import { isSoldIn } from "./is-sold-in.ts";

interface PricePanelProps {
  offer: Overview["offer"];
  price: Overview["price"];
  giveaways: Overview["giveaways"];
}

/** What there is to pay in the chosen country, why, and for how long. */
export function PricePanel({ offer, price, giveaways }: PricePanelProps) {
  const { country, locale } = useSettings();
  const rule = price?.appliedRules[0];
  const until = formatDay(rule?.endDate, locale);
  const lastGiveaway = lastGiveawayOf(giveaways, Date.now());
  return (
    <aside className="price-panel" aria-label="Price">
      <p className="price-panel__where">{countryName(country)}</p>
      <Price price={price} size="large" />
      {price?.lows ? <PriceComparison lows={price.lows} currency={price.price} /> : null}
      {isSoldIn(offer, country) ? null : (
        <p className="price-panel__warning">Not sold in this country</p>
      )}
      {rule === undefined ? null : (
        <p className="price-panel__rule">
          {rule.name}
          {until === undefined ? null : <span>Until {until}</span>}
        </p>
      )}
      {lastGiveaway === undefined ? null : (
        <p className="price-panel__rule">
          Given away
          <span>
            {formatDay(lastGiveaway.startDate, locale)}
            {lastGiveaway.platform === null ? "" : `, on ${lastGiveaway.platform}`}
          </span>
        </p>
      )}
      {price?.updatedAt ? (
        <p className="price-panel__since">Since {formatDay(price.updatedAt, locale)}</p>
      ) : null}
    </aside>
  );
}

interface PriceComparisonProps {
  lows: PriceLows;
  currency: Currency;
}

/**
 * What the present price can be compared with: the price before it was reduced, the lowest of the 30 days before
 * that, the lowest ever. A row without a price that counts, as of a pre-purchase, is not shown.
 */
function PriceComparison({ lows, currency }: PriceComparisonProps) {
  const { locale } = useSettings();
  const { reduction, ever } = lows;
  const money = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? undefined : formatMoney(amount, currency, locale);
  return (
    <dl className="price-comparison">
      <Row name="Reduced since">{formatDay(reduction?.since, locale)}</Row>
      <Row name="Price before">{money(reduction?.priceBefore)}</Row>
      <Row name="Lowest of the 30 days before">{money(reduction?.lowest30DaysBefore)}</Row>
      <Row name="Lowest ever">{money(ever?.discountPrice)}</Row>
    </dl>
  );
}

function Row({ name, children }: { name: string; children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type Giveaway = Pick<Overview["giveaways"][number], "startDate">;

/**
 * The latest giveaway that has begun.
 *
 * @param giveaways newest first
 */
export function lastGiveawayOf<One extends Giveaway>(
  giveaways: readonly One[],
  nowMs: number,
): One | undefined {
  return giveaways.find(
    ({ startDate }) => startDate !== null && new Date(startDate).getTime() <= nowMs,
  );
}
