import { isDeepStrictEqual } from "node:util";
import type { Catalogue } from "./model/catalogue.ts";
import { Model } from "./model/model.ts";
import type { RegionEntry } from "./model/model.ts";
import { offerBatchOf } from "./model/offer-batch.ts";
import { offerPricesOf } from "./model/offer-prices.ts";
import { shownLows } from "./model/price-lows.ts";
import type { Replay } from "./model/replay.ts";
import type { Question } from "./questions.ts";

/** Longer than it takes to ask: what passes out of a window meanwhile may be answered either way, and is not asked. */
const askedForMs = 6 * 3_600_000;

const places = [
  { country: "US", locale: "en-US" },
  { country: "DE", locale: "de-DE" },
  { country: "BR", locale: "es-MX" },
  { country: "JP", locale: "ja-JP" },
];

/** Questions for the lows of every offer's prices: in all regions, and of all offers at once. */
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
  return [
    ...ids.map((id) => ({ path: `/offers/${id}/prices?lows=true`, expected: pricesOf(id) })),
    ...places.map(({ country, locale }) => ({
      path: `/offers/batch?country=${country}&locale=${locale}`,
      body: { ids, lows: true },
      expected: offerBatchOf(model, { ids, country, locale }),
    })),
  ];
}
