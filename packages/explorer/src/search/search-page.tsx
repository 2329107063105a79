import { Dialog } from "@base-ui/react/dialog";
import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronDown, SlidersHorizontal, X } from "lucide-react";
import type { ReactNode } from "react";
import { useDocumentTitle } from "../layout/use-document-title.ts";
import { FailurePanel, StatePanel } from "../ui/state-panel.tsx";
import { ActiveFilters, LooserSearches } from "./active-filters.tsx";
import { Facets } from "./facets.tsx";
import { OfferGrid, OfferGridSkeleton } from "./offer-grid.tsx";
import { Pagination } from "./pagination.tsx";
import { countFilters, pageSize, sortings, typesOf } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";
import { useSearchParams } from "./use-search-params.ts";
import { useCounts, useSearchResult, useTagName } from "./use-search.ts";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/trpc.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Cover } from "../ui/cover.tsx";
import { Price } from "../ui/price.tsx";

/** Offers by the text, filters and order of the URL. */
export function SearchPage() {
  const { params, change } = useSearchParams();
  const navigate = useNavigate({ from: "/" });
  const result = useSearchResult(params);
  const counts = useCounts(params);
  const tagName = useTagName(params);
  useDocumentTitle(params.q === undefined ? "Browse" : `“${params.q}”`);
  const { data, error, isPlaceholderData } = result;
  const facets = (
    <Facets aggregations={counts.data} isPending={counts.isPending} tagName={tagName} />
  );
  return (
    <div className="search">
      <aside className="search__facets" aria-label="Filters">
        {facets}
      </aside>
      <section className="search__results" aria-label="Offers">
        {Object.keys(params).length === 0 ? <Featured /> : null}
        <div className="search__head">
          <h1 className="search__title">
            {params.q === undefined ? browseTitle(params) : <>Results for “{params.q}”</>}
          </h1>
          <p className="search__count" role="status">
            {error ? "" : countText(data?.total)}
          </p>
          <div className="search__controls">
            <FiltersDrawer total={data?.total}>{facets}</FiltersDrawer>
            <SortSelect />
          </div>
        </div>
        <ActiveFilters tagName={tagName} />
        {error && data === undefined ? (
          <FailurePanel error={error} subject="The search" onRetry={() => void result.refetch()} />
        ) : data === undefined ? (
          <OfferGridSkeleton count={pageSize} />
        ) : data.total === 0 ? (
          <NothingFound text={params.q} onClear={() => void navigate({ search: {} })}>
            <LooserSearches tagName={tagName} />
          </NothingFound>
        ) : (
          <div
            className="search__list"
            aria-busy={isPlaceholderData}
            data-stale={isPlaceholderData}
          >
            <OfferGrid offers={data.offers} />
            <Pagination
              page={params.page ?? 1}
              total={data.total}
              pageSize={pageSize}
              onChange={(page) => change({ page: page === 1 ? undefined : page })}
            />
          </div>
        )}
      </section>
    </div>
  );
}

function browseTitle(params: SearchParams): string {
  const [type, ...others] = typesOf(params);
  return type === "BASE_GAME" && others.length === 0 ? "Games" : "All offers";
}

function countText(total: number | undefined): string {
  if (total === undefined) return "Searching…";
  return total === 1 ? "1 offer" : `${total.toLocaleString("en")} offers`;
}

interface NothingFoundProps {
  text: string | undefined;
  onClear: () => void;
  /** Buttons that loosen the search. */
  children: ReactNode;
}

function NothingFound({ text, onClear, children }: NothingFoundProps) {
  return (
    <StatePanel kind="empty" title="No matching offers">
      <p className="state__text">
        Try other words or fewer filters, or describe in your own words what you look for.
      </p>
      <div className="state__actions">
        {children}
        <button type="button" className="button" onClick={onClear}>
          Start again
        </button>
        <Link
          to="/ask"
          search={text === undefined ? {} : { q: text }}
          className="button button--quiet"
        >
          Ask instead
        </Link>
      </div>
    </StatePanel>
  );
}

/** Chooses the order of the offers. */
function SortSelect() {
  const { params, change } = useSearchParams();
  return (
    <label className="select select--wide">
      <span className="select__label">Sort</span>
      <select
        name="sort"
        value={params.sort ?? ""}
        onChange={({ target }) => {
          const sorting = sortings.find(({ value }) => value === target.value);
          change({ sort: sorting?.value || undefined });
        }}
      >
        {sortings.map(({ value, name }) => (
          <option key={value} value={value}>
            {value === "" && params.q === undefined ? "Latest changes" : name}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" />
    </label>
  );
}

interface FiltersDrawerProps {
  total: number | undefined;
  /** The filters. */
  children: ReactNode;
}

/** The filters when there is no room for them next to the offers. */
function FiltersDrawer({ total, children }: FiltersDrawerProps) {
  const { params, clear } = useSearchParams();
  const count = countFilters(params);
  return (
    <Dialog.Root>
      <Dialog.Trigger className="button button--quiet filters-button">
        <SlidersHorizontal aria-hidden="true" />
        Filters{count === 0 ? "" : ` (${count})`}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer">
          <div className="drawer__head">
            <Dialog.Title className="drawer__title">Filters</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close the filters">
              <X aria-hidden="true" />
            </Dialog.Close>
          </div>
          <div className="drawer__body">{children}</div>
          <div className="drawer__foot">
            <button type="button" className="button button--quiet" onClick={clear}>
              Clear
            </button>
            <Dialog.Close className="button">
              {total === undefined ? "Show" : `Show ${total.toLocaleString("en")}`}
            </Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const offersMax = 8;

/**
 * Ranked and discounted games in the chosen country, best first, in a row that scrolls. Not shown without any, or
 * when they are unavailable.
 */
function Featured() {
  const trpc = useTRPC();
  const settings = useSettings();
  const { data, isPending } = useQuery(trpc.pricing.listFeaturedDiscounts.queryOptions(settings));
  if (isPending) return <div className="featured featured--pending skeleton" aria-hidden="true" />;
  const games = data?.filter(({ offerType }) => offerType === "BASE_GAME") ?? [];
  if (games.length === 0) return null;
  return (
    <section className="featured" aria-labelledby="featured">
      <h2 className="featured__title" id="featured">
        Featured discounts
      </h2>
      {/* Can be scrolled with the keyboard. */}
      <ul className="featured__row" tabIndex={0}>
        {games.slice(0, offersMax).map(({ id, title, keyImages, price }) => (
          <li key={id}>
            <article className="tile">
              <Cover id={id} images={keyImages} shape="wide" isEager />
              <h3 className="tile__title">
                <Link to="/offers/$offerId" params={{ offerId: id }} className="card__link">
                  {title ?? "Untitled"}
                </Link>
              </h3>
              <Price price={price} />
            </article>
          </li>
        ))}
      </ul>
    </section>
  );
}
