import { Link } from "@tanstack/react-router";
import type { Overview } from "../api/types.ts";
import { formatDay } from "../format/dates.ts";
import { langOf, offerTypeName } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Cover } from "../ui/cover.tsx";
import { PricePanel } from "./price-panel.tsx";

/** What an offer is, who made it, what it costs. */
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
          {released === undefined ? null : (
            <Fact name={isComing ? "Comes out" : "Released"}>{released}</Fact>
          )}
          {offer.seller?.name ? <Fact name="Seller">{offer.seller.name}</Fact> : null}
          <AgeRating ageRating={overview.ageRating} />
          {offer.refundType === null ? null : (
            <Fact name="Refund">{offerTypeName(offer.refundType)}</Fact>
          )}
        </dl>
      </div>
      <PricePanel offer={offer} price={overview.price} giveaways={overview.giveaways} />
    </header>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
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

/** Stands where an offer will be. */
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
