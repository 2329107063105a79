import { Link } from "@tanstack/react-router";
import type { FreeGame } from "../api/types.ts";
import { formatMinute } from "../format/dates.ts";
import { langOf } from "../format/lang-of.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Cover } from "../ui/cover.tsx";
import { LowestBadge } from "../ui/lowest-badge.tsx";
import { Price } from "../ui/price.tsx";
import { platforms } from "./free-games-params.ts";

/** A giveaway: of what, where, from when until when; all of it leads to the offer, where that is known. */
export function FreeGameCard({ giveaway }: { giveaway: FreeGame }) {
  const { id, offer, platform, startDate, endDate } = giveaway;
  const title = offer?.title ?? giveaway.title ?? "Untitled";
  return (
    <article className="tile">
      <Cover id={offer?.id ?? id} images={offer?.keyImages ?? []} shape="wide" />
      <span className="card__type">{platformName(platform)}</span>
      <h2 className="tile__title" {...(offer && langOf(offer))}>
        {offer === null ? (
          title
        ) : (
          <Link to="/offers/$offerId" params={{ offerId: offer.id }} className="card__link">
            {title}
          </Link>
        )}
      </h2>
      {offer === null ? null : (
        <>
          <Price price={offer.price} />
          <LowestBadge price={offer.price} />
        </>
      )}
      <dl className="times">
        <Time name="From" instant={startDate} unknown="Not known" />
        <Time name="Until" instant={endDate} unknown="No end announced" />
      </dl>
    </article>
  );
}

function platformName(platform: string | null): string {
  const known = platforms.find(({ value }) => value === (platform ?? "desktop"));
  return known?.name ?? platform ?? "";
}

interface TimeProps {
  name: string;
  instant: string | null;
  /** Stands where there is none. */
  unknown: string;
}

function Time({ name, instant, unknown }: TimeProps) {
  const { locale } = useSettings();
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {instant === null ? (
          unknown
        ) : (
          <time dateTime={instant}>{formatMinute(instant, locale)}</time>
        )}
      </dd>
    </div>
  );
}
