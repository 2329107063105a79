import { request } from "./ask.ts";
import type { ModelPriceChange } from "./model/price-changes.ts";
import type { PriceRecord } from "./model/records.ts";

const pageLimit = 500;

interface Page {
  elements: {
    offerId: string;
    region: string;
    observedAt: string;
    previousPrice: { price: PriceRecord["price"] } | null;
    price: { price: PriceRecord["price"] } | null;
  }[];
  next: string;
}

/** Reads `/price-changes` from its beginning, for one region or all, as a client with a copy does. */
export async function readPriceChanges(
  gatewayUrl: string,
  region?: string,
): Promise<ModelPriceChange[]> {
  const chosen = region === undefined ? "" : `&region=${region}`;
  const changes: ModelPriceChange[] = [];
  for (let from = "since=1970-01-01T00:00:00Z"; ;) {
    const path = `/price-changes?${from}&limit=${pageLimit}${chosen}`;
    const { status, result } = await request(gatewayUrl + path);
    if (status !== 200) throw new Error(`${path}: status ${status}`);
    const { elements, next } = result as Page;
    changes.push(...elements.map(changeOf));
    if (from === `after=${next}`) return changes;
    from = `after=${next}`;
  }
}

function changeOf(element: Page["elements"][number]): ModelPriceChange {
  const { offerId, region, observedAt, previousPrice, price } = element;
  return {
    offerId,
    region,
    observedAt: Date.parse(observedAt),
    previousPrice: amountsOf(previousPrice),
    price: amountsOf(price),
  };
}

/** Without `discount`, which is their difference. */
function amountsOf(point: { price: PriceRecord["price"] } | null): PriceRecord["price"] | null {
  if (point === null) return null;
  const { currencyCode, originalPrice, discountPrice } = point.price;
  return { currencyCode, originalPrice, discountPrice };
}
