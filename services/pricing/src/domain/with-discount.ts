import type { Price } from "@storefront/contracts/type/v1/price";

/** The price with its discount worked out, whatever its source said the discount was. */
export function withDiscount(price: Price): Price {
  return { ...price, discount: price.originalPrice - price.discountPrice };
}
