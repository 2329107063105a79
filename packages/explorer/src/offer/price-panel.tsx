import type { Overview } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { countryName } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Price } from "../ui/price.tsx";
import { isSoldIn } from "./is-sold-in.ts";
import { lastGiveawayOf } from "./last-giveaway.ts";
import { PriceComparison } from "./price-comparison.tsx";
import "../styles/price-panel.css";

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
      {price?.lows ? (
        <PriceComparison lows={price.lows} currency={price.price.currencyCode} />
      ) : null}
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
