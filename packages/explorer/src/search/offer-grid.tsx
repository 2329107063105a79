import { OfferCard } from "./offer-card.tsx";
import type { CardOffer } from "./offer-card.tsx";

interface OfferGridProps {
  offers: readonly CardOffer[];
  /** Level of the cards' headings; default 2. */
  level?: 2 | 3;
}

/** Offers side by side. */
export function OfferGrid({ offers, level = 2 }: OfferGridProps) {
  return (
    <ul className="grid">
      {offers.map((offer, place) => (
        <li key={offer.id}>
          <OfferCard offer={offer} level={level} isEager={place < 6} />
        </li>
      ))}
    </ul>
  );
}

/** Stands where offers will be. */
export function OfferGridSkeleton({ count }: { count: number }) {
  return (
    <ul className="grid" aria-hidden="true">
      {Array.from({ length: count }, (_, place) => (
        <li key={place} className="card">
          <span className="skeleton cover cover--tall" />
          <span className="skeleton skeleton--line" style={{ width: "80%" }} />
          <span className="skeleton skeleton--line" style={{ width: "55%" }} />
        </li>
      ))}
    </ul>
  );
}
