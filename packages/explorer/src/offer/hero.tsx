import { Link } from "@tanstack/react-router";
import type { Overview, PriceLows } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { langOf, offerTypeName, countryName } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Cover } from "../ui/cover.tsx";
import { formatMoney } from "../format/money.ts";
import type { Currency } from "../format/money.ts";
import "../styles/price-panel.css";
import { Price } from "../ui/price.tsx";
import { isSoldIn } from "./is-sold-in.ts";

/** Title, makers and price of an offer. */
export function Hero({ overview }: { overview: Overview }) {
  const { offer, genres } = overview;
  const { locale } = useSettings();
  const { id, title, developerDisplayName: developer, publisherDisplayName: publisher } = offer;
  const lang = langOf(offer);
  const released = formatDay(offer.releaseDate, locale);
  const isComing = offer.releaseDate !== null && new Date(offer.releaseDate).getTime() > Date.now();
  return (
    <header className="hero">
      <Cover id={id} images={offer.keyImages} shape="tall" isEager />
      <div className="hero__text">
        <p className="hero__kind">
          {[offer.offerType && offerTypeName(offer.offerType), ...genres.map(({ name }) => name)]
            .filter(Boolean)
            .join(" · ")}
        </p>
        <h1 className="hero__title" {...lang}>
          {title ?? "Untitled"}
        </h1>
        <p className="hero__by">
          {developer === null ? null : (
            <>
              By{" "}
              <Link to="/" search={{ developer }}>
                {developer}
              </Link>
            </>
          )}
          {publisher === null || publisher === developer ? null : (
            <>
              {developer === null ? "From " : ", from "}
              <Link to="/" search={{ publisher }}>
                {publisher}
              </Link>
            </>
          )}
        </p>
        <p className="hero__description" {...lang}>
          {offer.description}
        </p>
        {offer.localeStatus === "fallback" ? (
          <p className="hero__note">There is no text in this language; this is the original.</p>
        ) : null}
        <dl className="facts">
          <Fact name={isComing ? "Comes out" : "Released"}>{released}</Fact>
          <Fact name="Seller">{offer.seller?.name}</Fact>
          <AgeRating ageRating={overview.ageRating} />
          <Fact name="Refund">{offer.refundType && offerTypeName(offer.refundType)}</Fact>
        </dl>
      </div>
      <PricePanel offer={offer} price={overview.price} giveaways={overview.giveaways} />
    </header>
  );
}

/** A term and its description; nothing without a description. */
function Fact({ name, children }: { name: string; children: string | null | undefined }) {
  if (!children) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function AgeRating({ ageRating }: Pick<Overview, "ageRating">) {
  const [system, rating] = Object.entries(ageRating ?? {})[0] ?? [];
  if (system === undefined || typeof rating !== "object" || rating === null) return null;
  const { title, gameRating } = rating as { title?: unknown; gameRating?: unknown };
  const text = [title, gameRating].find((value) => typeof value === "string" && value !== "");
  return typeof text === "string" ? <Fact name={`Age (${system})`}>{text}</Fact> : null;
}

/** The placeholder of an offer. */
export function HeroSkeleton() {
  return (
    <div className="hero" role="status">
      <span className="visually-hidden">Loading the offer</span>
      <span className="skeleton cover cover--tall" />
      <div className="hero__text" aria-hidden="true">
        {[30, 70, 40, 95, 90, 60].map((width, line) => (
          <span key={line} className="skeleton skeleton--line" style={{ width: `${width}%` }} />
        ))}
      </div>
      <span className="skeleton price-panel" aria-hidden="true" />
    </div>
  );
}

interface PricePanelProps {
  offer: Overview["offer"];
  price: Overview["price"];
  giveaways: Overview["giveaways"];
}

/** The price in the chosen country, its reason and its end. */
function PricePanel({ offer, price, giveaways }: PricePanelProps) {
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
 * Prices to compare with the current one: the price before the reduction, the lowest of the 30 days before that, the
 * lowest ever. A row without a price that counts, as of a pre-purchase, is not shown.
 */
function PriceComparison({ lows, currency }: PriceComparisonProps) {
  const { locale } = useSettings();
  const { reduction, ever } = lows;
  const money = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? undefined : formatMoney(amount, currency, locale);
  return (
    <dl className="price-comparison">
      <Fact name="Reduced since">{formatDay(reduction?.since, locale)}</Fact>
      <Fact name="Price before">{money(reduction?.priceBefore)}</Fact>
      <Fact name="Lowest of the 30 days before">{money(reduction?.lowest30DaysBefore)}</Fact>
      <Fact name="Lowest ever">{money(ever?.discountPrice)}</Fact>
    </dl>
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
