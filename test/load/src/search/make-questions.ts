import type { Records } from "@storefront/sample-data";
import { pricedRegions } from "./search-records.ts";
import type { SearchRecords } from "./search-records.ts";
import { sorts } from "./search-question.ts";
import type { SearchQuestion, SortName } from "./search-question.ts";

type Body = SearchQuestion["body"];
type Filter = (offer: Records["offer"], amount: number, technology: string) => Partial<Body>;

/** Each filters by a value that an offer has. */
const filters: readonly Filter[] = [
  ({ offerType }) => (offerType ? { offerType: [offerType] } : {}),
  ({ tags }) => ({ tags: tags.slice(0, 1).map(({ id }) => id) }),
  (_, amount) => ({ price: { min: Math.max(0, amount - 1000), max: amount + 1000 } }),
  () => ({ onSale: true }),
  ({ categories }) => ({ categories: [...(categories ?? [])].slice(0, 2) }),
  ({ refundType }) => (refundType ? { refundType } : {}),
  () => ({ isCodeRedemptionOnly: false }),
  () => ({ onSale: false }),
  ({ tags }) => ({ tags: tags.slice(-1).map(({ id }) => id) }),
  (_, __, technology) => ({ technologies: [technology] }),
  () => ({ isLowestPrice: true }),
];

/** Searches of two filters and a sort, over all filters and sorts: the same for the same records. */
export function makeQuestions(
  { offers, prices, technologies }: SearchRecords,
  count: number,
): SearchQuestion[] {
  const names = Object.keys(sorts) as SortName[];
  const priced = prices.filter(({ region }) => region === "US");
  const byId = new Map(offers.map((offer) => [offer.id, offer]));
  return Array.from({ length: count }, (_, index): SearchQuestion => {
    // Steps without a common divisor visit everything.
    const price = priced[(index * 617) % priced.length];
    const offer = byId.get(price?.offerId ?? "");
    if (price === undefined || offer === undefined) throw new Error("No offer has a price.");
    const technology = technologies[index % 4] ?? "";
    const first = filters[index % filters.length];
    const second = filters[(index * 3 + 1 + Math.floor(index / filters.length)) % filters.length];
    return {
      region: pricedRegions[index % pricedRegions.length] ?? "US",
      body: {
        ...first?.(offer, price.discounted, technology),
        ...second?.(offer, price.discounted, technology),
        sortBy: names[index % names.length] ?? "price",
        sortDir: index % 2 === 0 ? "desc" : "asc",
        page: 1 + (index % 3),
        limit: 20,
      },
    };
  });
}
