import { Link } from "@tanstack/react-router";
import type { Offer, PricedOffer } from "../api/types.ts";
import { langOf, offerTypeName } from "../format/names.ts";
import { Cover } from "../ui/cover.tsx";
import { LowestBadge, Price } from "../ui/price.tsx";

interface OfferGridProps {
  offers: readonly CardOffer[];
  /** Level of the cards' headings; default 2. */
  level?: 2 | 3;
}

/** Offers side by side. */
export function OfferGrid({ offers, level = 2 }: OfferGridProps) {
  return (
    <ul className="grid">
      {offers.map((offer, index) => (
        <li key={offer.id}>
          <OfferCard offer={offer} level={level} isEager={index < 6} />
        </li>
      ))}
    </ul>
  );
}

/** Replaces offers until they are loaded. */
export function OfferGridSkeleton({ count }: { count: number }) {
  return (
    <ul className="grid" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className="card">
          <span className="skeleton cover cover--tall" />
          <span className="skeleton skeleton--line" style={{ width: "80%" }} />
          <span className="skeleton skeleton--line" style={{ width: "55%" }} />
        </li>
      ))}
    </ul>
  );
}

/** The data of a card; `price` is optional. */
type CardOffer = Offer & Partial<Pick<PricedOffer, "price" | "highlights">>;

interface OfferCardProps {
  offer: CardOffer;
  level?: 2 | 3;
  isEager?: boolean;
}

/** An offer in a few words; the whole card links to the offer. */
function OfferCard({ offer, level = 2, isEager = false }: OfferCardProps) {
  const { id, title, keyImages, offerType, developerDisplayName, price, highlights } = offer;
  const Heading = `h${level}` as const;
  return (
    <article className="card">
      <Cover id={id} images={keyImages} shape="tall" isEager={isEager} />
      {offerType === null || offerType === "BASE_GAME" ? null : (
        <span className="card__type">{offerTypeName(offerType)}</span>
      )}
      <Heading className="card__title" {...langOf(offer)}>
        <Link to="/offers/$offerId" params={{ offerId: id }} className="card__link">
          {highlights?.title ? <MarkedText html={highlights.title} /> : (title ?? "Untitled")}
        </Link>
      </Heading>
      <p className="card__by">{developerDisplayName ?? " "}</p>
      {highlights?.description ? (
        <p className="card__snippet" {...langOf(offer)}>
          <MarkedText html={highlights.description} />
        </p>
      ) : null}
      {price === undefined ? null : (
        <>
          <Price price={price} />
          <LowestBadge price={price} />
        </>
      )}
    </article>
  );
}

/** A highlight of a search, whose matches are marked. */
export function MarkedText({ html }: { html: string }) {
  return markedParts(html).map(({ text, isMatch }, index) =>
    isMatch ? <mark key={index}>{text}</mark> : text,
  );
}

/** A part of a text, and whether a search matched it. */
interface MarkedPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const signs: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/**
 * The text of a highlight in parts, to be shown as text: no part of it is ever HTML. Anything but `mark` elements and
 * the entities of highlights is literal text.
 */
function markedParts(html: string): MarkedPart[] {
  return html
    .split(/<mark>(.*?)<\/mark>/s)
    .map((part, index) => ({ text: textOf(part), isMatch: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

function textOf(html: string): string {
  return html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => signs[entity] ?? entity);
}
