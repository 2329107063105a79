import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTRPC } from "../api/trpc.ts";
import type { FreeGame } from "../api/types.ts";
import { formatMinute } from "../format/dates.ts";
import { langOf } from "../format/names.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Pagination } from "../search/pagination.tsx";
import { Cover } from "../ui/cover.tsx";
import { FreePrice, LowestBadge, Price } from "../ui/price.tsx";
import { FailurePanel, StatePanel } from "../ui/state-panel.tsx";
import { freeGamesInputOf, pageSize, platforms } from "./free-games-params.ts";
import type { FreeGamesParams, GiveawayState } from "./free-games-params.ts";

const nothing: Readonly<Record<GiveawayState, string>> = {
  current: "Nothing is given away now",
  upcoming: "No giveaway is announced",
  past: "Nothing has been given away",
};

interface GiveawaysProps {
  params: FreeGamesParams;
  onPage: (page: number) => void;
}

/** A page of giveaways; the previous one stays while the next one loads. */
export function Giveaways({ params, onPage }: GiveawaysProps) {
  const trpc = useTRPC();
  const settings = useSettings();
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.pricing.listFreeGames.queryOptions(freeGamesInputOf(params, settings), {
      placeholderData: keepPreviousData,
    }),
  );
  if (error && data === undefined) {
    return <FailurePanel error={error} subject="The giveaways" onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <GiveawaysSkeleton />;
  if (data.total === 0 && !isPlaceholderData) {
    return <StatePanel kind="empty" title={nothing[params.state ?? "current"]} />;
  }
  return (
    <div className="free-games__list" aria-busy={isPlaceholderData} data-stale={isPlaceholderData}>
      <p className="free-games__note">
        <span role="status">
          {data.total.toLocaleString("en")} {data.total === 1 ? "giveaway" : "giveaways"}.
        </span>{" "}
        Times are in your time zone, {timeZone}.
      </p>
      <ul className="free-games__grid">
        {data.elements.map((giveaway) => (
          <li key={giveaway.id}>
            <FreeGameCard giveaway={giveaway} />
          </li>
        ))}
      </ul>
      <Pagination
        page={params.page ?? 1}
        total={data.total}
        pageSize={pageSize}
        onChange={onPage}
        label="Pages of giveaways"
      />
    </div>
  );
}

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

/** The placeholder of giveaways. */
function GiveawaysSkeleton() {
  return (
    <ul className="free-games__grid" aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <li key={index}>
          <span className="skeleton cover cover--wide" />
          <span className="skeleton skeleton--line" style={{ width: "80%" }} />
          <span className="skeleton skeleton--line" style={{ width: "55%" }} />
        </li>
      ))}
    </ul>
  );
}

/** A giveaway: offer, platform and times; the whole card links to the offer, if that is known. */
function FreeGameCard({ giveaway }: { giveaway: FreeGame }) {
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
      {offer === null ? null : isCurrent(giveaway, Date.now()) ? (
        <FreePrice price={offer.price} />
      ) : (
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

/** Whether it runs at the time, in milliseconds since 1970; one without an end does not end. */
export function isCurrent(
  { startDate, endDate }: Pick<FreeGame, "startDate" | "endDate">,
  nowMs: number,
): boolean {
  const hasBegun = startDate !== null && Date.parse(startDate) <= nowMs;
  return hasBegun && (endDate === null || nowMs < Date.parse(endDate));
}

function platformName(platform: string | null): string {
  const known = platforms.find(({ value }) => value === (platform ?? "desktop"));
  return known?.name ?? platform ?? "";
}

interface TimeProps {
  name: string;
  instant: string | null;
  /** The text when there is none. */
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
