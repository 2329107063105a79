import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/trpc.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Pagination } from "../search/pagination.tsx";
import { FailurePanel, StatePanel } from "../ui/state-panel.tsx";
import { FreeGameCard } from "./free-game-card.tsx";
import { freeGamesInputOf, pageSize } from "./free-games-params.ts";
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

/** A page of giveaways; the one before stays while the next one comes. */
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

/** Stands where giveaways will be. */
function GiveawaysSkeleton() {
  return (
    <ul className="free-games__grid" aria-hidden="true">
      {Array.from({ length: 8 }, (_, place) => (
        <li key={place}>
          <span className="skeleton cover cover--wide" />
          <span className="skeleton skeleton--line" style={{ width: "80%" }} />
          <span className="skeleton skeleton--line" style={{ width: "55%" }} />
        </li>
      ))}
    </ul>
  );
}
