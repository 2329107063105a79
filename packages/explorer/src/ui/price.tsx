import type { PricedOffer } from "../api/types.ts";
import { lowestTimeOf } from "../format/lowest-time.ts";
import { formatMoney } from "../format/money.ts";
import { useSettings } from "../layout/use-settings.ts";

interface PriceProps {
  price: PricedOffer["price"];
  size?: "normal" | "large";
}

/** The price to pay, and the price before a discount. */
export function Price({ price, size = "normal" }: PriceProps) {
  const { locale } = useSettings();
  if (price === null) return <p className="price price--none">No price here</p>;
  const { originalPrice, discountPrice, percentOff } = price.price;
  return (
    <p className={`price price--${size}`}>
      {percentOff === 0 ? null : (
        <>
          <span className="price__discount">−{percentOff}%</span>
          <s className="price__before">
            <span className="visually-hidden">Before: </span>
            {formatMoney(originalPrice, price.price, locale)}
          </s>
        </>
      )}
      <span className="price__now">
        {percentOff === 0 ? null : <span className="visually-hidden">Now: </span>}
        {formatMoney(discountPrice, price.price, locale)}
      </span>
    </p>
  );
}

/** The price of a giveaway: "Free", and the normal price. */
export function FreePrice({ price }: Pick<PriceProps, "price">) {
  const { locale } = useSettings();
  return (
    <p className="price price--normal">
      {price === null || price.price.discountPrice === 0 ? null : (
        <s className="price__before">
          <span className="visually-hidden">Otherwise: </span>
          {formatMoney(price.price.discountPrice, price.price, locale)}
        </s>
      )}
      <span className="price__now">Free</span>
    </p>
  );
}

/** Shows the period in which a reduced price is the lowest; nothing without one. */
export function LowestBadge({ price }: { price: PricedOffer["price"] }) {
  const lowest = price && lowestTimeOf(price);
  return lowest ? <p className="lowest-badge lowest-dot">{lowest.name}</p> : null;
}
