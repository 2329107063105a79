import { Link } from "@tanstack/react-router";
import type { PricedOffer } from "../api/types.ts";
import { Cover } from "../ui/cover.tsx";
import { Price } from "../ui/price.tsx";

/** An offer that comes near to what was asked for. */
export function Match({ offer }: { offer: PricedOffer }) {
  const { id, title, description, developerDisplayName, keyImages, price } = offer;
  return (
    <article className="match">
      <Cover id={id} images={keyImages} shape="tall" />
      <div className="match__text">
        <h2 className="match__title">
          <Link to="/offers/$offerId" params={{ offerId: id }} className="card__link">
            {title ?? "Untitled"}
          </Link>
        </h2>
        <p className="card__by">{developerDisplayName}</p>
        <p className="match__description">{description}</p>
        <Price price={price} />
      </div>
    </article>
  );
}
