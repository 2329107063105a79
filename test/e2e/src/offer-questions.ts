import type { Catalogue } from "./model/catalogue.ts";
import type { Model } from "./model/model.ts";
import { offerBatchOf } from "./model/offer-batch.ts";
import type { BatchQuery } from "./model/offer-batch.ts";
import { offerPricesOf } from "./model/offer-prices.ts";
import type { Question } from "./questions.ts";

/** Questions for the prices of every offer in all regions, and for batches of all offers and of some. */
export function offerQuestions(catalogue: Catalogue, model: Model): Question[] {
  const ids = [...catalogue.offer.keys()];
  const [first = "none"] = ids;
  const some = ids.filter((_id, index) => index % 7 === 0);
  return [
    ...[...ids, "no-such"].flatMap((id): Question[] => [
      { path: `/offers/${id}/prices`, expected: offerPricesOf(catalogue, model, id) },
      {
        path: `/offers/${id}/prices?fields=price,region`,
        expected: offerPricesOf(catalogue, model, id, ["price"]),
      },
    ]),
    ...[
      { ids, country: "US", locale: "en-US" },
      { ids: ids.toReversed(), country: "JP", locale: "ja-JP" },
      { ids: some, country: "DE", locale: "de-DE", prices: false },
      { ids: some, country: "BR", locale: "es-MX", fields: ["price", "title"] },
      { ids: some, country: "KR", locale: "fr-FR", fields: ["title"], prices: false },
      // Duplicate and unknown ids, and none.
      { ids: ["no-such", first, "none-such", first, "no-such"], country: "US", locale: "en-US" },
      { ids: [], country: "US", locale: "en-US" },
    ].map((query) => batchQuestion(model, query)),
  ];
}

function batchQuestion(model: Model, query: BatchQuery): Question {
  const { country, locale, ...body } = query;
  return {
    path: `/offers/batch?country=${country}&locale=${locale}`,
    body,
    expected: offerBatchOf(model, query),
  };
}
