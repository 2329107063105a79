import { Link } from "@tanstack/react-router";
import type { Offer, PricedOffer } from "../api/types.ts";
import { offerTypeName } from "../format/names.ts";
import { Cover } from "../ui/cover.tsx";
import { Price } from "../ui/price.tsx";

/** What a card shows; without the member `price` it says nothing of it. */
export type CardOffer = Offer & { price?: PricedOffer["price"] };

interface OfferCardProps {
  offer: CardOffer;
  level?: 2 | 3;
  isEager?: boolean;
}

/** An offer in a few words; all of it leads to the offer. */
export function OfferCard({ offer, level = 2, isEager = false }: OfferCardProps) {
  const { id, title, keyImages, offerType, developerDisplayName, price } = offer;
  const Heading = `h${level}` as const;
  return (
    <article className="card">
      <Cover id={id} images={keyImages} shape="tall" isEager={isEager} />
      {offerType === null || offerType === "BASE_GAME" ? null : (
        <span className="card__type">{offerTypeName(offerType)}</span>
      )}
      <Heading className="card__title" {...langOf(offer)}>
        <Link to="/offers/$offerId" params={{ offerId: id }} className="card__link">
          {title ?? "Untitled"}
        </Link>
      </Heading>
      <p className="card__by">{developerDisplayName ?? " "}</p>
      {price === undefined ? null : <Price price={price} />}
    </article>
  );
}

/** The language of an offer's texts, where it is not the page's. */
function langOf({ locale, localeStatus }: Pick<PricedOffer, "locale" | "localeStatus">): {
  lang?: string;
} {
  return localeStatus === "localized" ? { lang: locale } : {};
}
