import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTRPC } from "../api/trpc.ts";
import { useSettings } from "../layout/use-settings.ts";
import { Cover } from "../ui/cover.tsx";
import { Price } from "../ui/price.tsx";

const offersMax = 8;

/**
 * Ranked and discounted games in the chosen country, best first, in a row that scrolls. Not shown without any, or
 * when they are unavailable.
 */
export function Featured() {
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
      {/* Can be scrolled by keys. */}
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
