import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { isNotFound } from "../api/failure.ts";
import { useTRPC } from "../api/trpc.ts";
import { EntryList } from "../changes/entry-list.tsx";
import { useDocumentTitle } from "../layout/use-document-title.ts";
import { useSettings } from "../layout/use-settings.ts";
import { OfferGrid } from "../search/offer-grid.tsx";
import { FailurePanel, StatePanel } from "../ui/state-panel.tsx";
import { About } from "./about.tsx";
import { Builds } from "./builds.tsx";
import { Gallery } from "./gallery.tsx";
import { Hero, HeroSkeleton } from "./hero.tsx";
import { PriceHistory } from "./price-history.tsx";
import { RegionalPrices } from "./regional-prices.tsx";
import { Reviews } from "./reviews.tsx";
import { LinesSkeleton, Section } from "./section.tsx";
import "../styles/offer.css";

/** All data of an offer. Each section makes its own calls, and fails on its own. */
export function OfferPage() {
  const { offerId } = useParams({ from: "/offers/$offerId" });
  const trpc = useTRPC();
  const settings = useSettings();
  const { data, error, refetch } = useQuery(
    trpc.catalog.getOfferOverview.queryOptions({ id: offerId, lows: true, ...settings }),
  );
  useDocumentTitle(data?.offer.title ?? undefined);
  if (error && data === undefined) {
    if (isNotFound(error)) return <UnknownOffer message={error.message} />;
    return (
      <FailurePanel error={error} subject="The offer" level={1} onRetry={() => void refetch()} />
    );
  }
  if (data === undefined) return <HeroSkeleton />;
  const { offer } = data;
  return (
    // Another offer gets new components, without the open tables and pages of reviews.
    <article className="offer" key={offerId}>
      <Hero overview={data} />
      <Gallery id={offerId} images={offer.keyImages} title={offer.title ?? "the offer"} />
      <div className="offer__columns">
        <div className="offer__main">
          <PriceHistory id={offerId} price={data.price} />
          <About overview={data} />
          <Reviews id={offerId} />
        </div>
        <div className="offer__side">
          <RegionalPrices offer={offer} />
        </div>
      </div>
      <Builds itemIds={offer.items.map(({ id }) => id)} />
      <OfferChanges id={offerId} />
      {offer.namespace === null ? null : <RelatedOffers id={offerId} sandboxId={offer.namespace} />}
    </article>
  );
}

function UnknownOffer({ message }: { message: string }) {
  useDocumentTitle("Not found");
  return (
    <StatePanel kind="empty" title={message} level={1}>
      <p className="state__text">It may have been removed, or the address is incomplete.</p>
      <Link to="/" search={{}} className="button">
        Browse all offers
      </Link>
    </StatePanel>
  );
}

/** The latest changes of the offer. */
function OfferChanges({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.changelog.searchEntries.queryOptions({ type: "offer", id, limit: 10 }),
  );
  return (
    <Section title="Changes">
      {error && data === undefined ? (
        <FailurePanel error={error} subject="Changes" level={3} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LinesSkeleton lines={4} />
      ) : data.hits.length === 0 ? (
        <p className="section__empty">Nothing has changed yet.</p>
      ) : (
        <EntryList entries={data.hits} areTitled={false} />
      )}
    </Section>
  );
}

/** Two rows of a wide screen, and one for the offer itself. */
const offersMax = 13;

/** Other offers of the same sandbox; nothing without any, or when they are unavailable. */
function RelatedOffers({ id, sandboxId }: { id: string; sandboxId: string }) {
  const trpc = useTRPC();
  const { locale } = useSettings();
  const { data } = useQuery(
    trpc.catalog.listSandboxOffers.queryOptions({ sandboxId, locale, limit: offersMax }),
  );
  const others = (data?.elements ?? []).filter((offer) => offer.id !== id).slice(0, offersMax - 1);
  if (others.length === 0) return null;
  return (
    <Section title="More of this game">
      <OfferGrid offers={others} level={3} />
    </Section>
  );
}
