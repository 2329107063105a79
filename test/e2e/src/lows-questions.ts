import { isDeepStrictEqual } from "node:util";
import type { Catalogue } from "./model/catalogue.ts";
import { Model } from "./model/model.ts";
import type { RegionEntry } from "./model/model.ts";
import { offerBatchOf } from "./model/offer-batch.ts";
import { offerPricesOf } from "./model/offer-prices.ts";
import { shownLows } from "./model/price-lows.ts";
import type { Replay } from "./model/replay.ts";
import { lowWindows } from "./model/search-body.ts";
import type { SearchBody } from "./model/search-body.ts";
import { SearchModel } from "./model/search-model.ts";
import type { SearchModelOptions } from "./model/search-model.ts";
import type { Question } from "./questions.ts";
import { searchQuestions } from "./search-questions.ts";

/** Longer than all requests take: prices that leave a window meanwhile have no certain result, and are left out. */
const askedForMs = 30 * 60_000;

/** Ids of a batch. */
const batchMax = 1000;

/** Offers that are requested one by one. */
const singlesMax = 1000;

const readers = [
  { country: "US", locale: "en-US" },
  { country: "DE", locale: "de-DE" },
  { country: "BR", locale: "es-MX" },
  { country: "JP", locale: "ja-JP" },
];

/** Questions for the lows of every offer's prices: in all regions, and in batches of all offers. */
export function lowsQuestions(
  catalogue: Catalogue,
  { priceStates }: Pick<Replay, "priceStates">,
  regions: readonly RegionEntry[],
): Question[] {
  const nowMs = Date.now();
  const lowsAt = (atMs: number) => (offerId: string, region: string) => {
    const states = priceStates.get(`${offerId} ${region}`) ?? [];
    return shownLows(states, { atMs, releaseDate: catalogue.offer.get(offerId)?.releaseDate });
  };
  const model = new Model(catalogue, regions, nowMs, lowsAt(nowMs));
  const later = new Model(catalogue, regions, nowMs, lowsAt(nowMs + askedForMs));
  const pricesOf = (id: string) => offerPricesOf(catalogue, model, id);
  const ids = [...catalogue.offer.keys()].filter((id) =>
    isDeepStrictEqual(pricesOf(id), offerPricesOf(catalogue, later, id)),
  );
  // With many offers, some are requested one by one, and all in batches.
  const step = Math.ceil(ids.length / singlesMax);
  return [
    ...ids.flatMap((id, index): Question[] => {
      if (index % step !== 0) return [];
      const { country = "US" } = readers[(index / step) % readers.length] ?? {};
      return [
        { path: `/offers/${id}/prices?lows=true`, expected: pricesOf(id) },
        {
          path: `/offers/${id}/price?lows=true&country=${country}`,
          expected: model.getPrice(id, country),
        },
      ];
    }),
    ...readers.flatMap(({ country, locale }) =>
      Array.from({ length: Math.ceil(ids.length / batchMax) }, (_, at): Question => {
        const batch = ids.slice(at * batchMax, (at + 1) * batchMax);
        return {
          path: `/offers/batch?country=${country}&locale=${locale}`,
          body: { ids: batch, lows: true },
          expected: offerBatchOf(model, { ids: batch, country, locale }),
        };
      }),
    ),
  ];
}

const bodies: readonly SearchBody[] = [
  ...lowWindows.flatMap((lowestPriceOf): SearchBody[] => [
    { lowestPriceOf, limit: 100 },
    { lowestPriceOf, onSale: true, sortBy: "lowestFor", limit: 100 },
  ]),
  { sortBy: "lowestFor", limit: 100 },
  { sortBy: "lowestFor", limit: 100, page: 2 },
  { sortBy: "lowestFor", sortDir: "asc", price: { min: 1 }, limit: 100 },
];

/** Searches that filter and sort by lows, in some countries. */
export function lowSearches(options: Omit<SearchModelOptions, "now">): Question[] {
  const nowMs = Date.now();
  const model = new SearchModel({ ...options, now: nowMs });
  const later = new SearchModel({ ...options, now: nowMs + askedForMs });
  const idsOf = (of: SearchModel, body: SearchBody, country: string) =>
    of.find(body, country).rows.map(({ offer }) => offer.id);
  const searches = readers
    .flatMap((reader) => bodies.map((body) => ({ body, ...reader })))
    .filter(({ body, country }) =>
      isDeepStrictEqual(idsOf(model, body, country), idsOf(later, body, country)),
    );
  return searchQuestions(searches, model).map(({ found }) => found);
}
