import type { Catalogue } from "./model/catalogue.ts";
import type { Model } from "./model/model.ts";
import { overviewOf } from "./model/overview.ts";
import { sample } from "./questions.ts";
import type { Question } from "./questions.ts";

const countries = ["US", "DE", "FR", "JP", "BR", "KR", "AU", "CA", "IN", "CN", "XX"];
const locales = ["en-US", "de-DE", "fr-FR", "ja-JP"];

/**
 * Questions for the overviews of some hundred offers, including those with age ratings, giveaways, texts, and
 * technologies from elsewhere in their sandbox.
 */
export function overviewQuestions(catalogue: Catalogue, model: Model): Question[] {
  const rated = new Set([...catalogue.ageRating.values()].map(({ namespace }) => namespace));
  const offers = [...catalogue.offer.values()];
  const ids = new Set([
    ...sample(offers, 120).map(({ id }) => id),
    ...sample(
      offers.filter(({ namespace }) => rated.has(namespace ?? "")),
      120,
    ).map(({ id }) => id),
    ...sample(catalogue.giveaway.values(), 60).flatMap(({ offerId }) => offerId ?? []),
    ...sample(catalogue.offerDetails.values(), 60).map(({ offerId }) => offerId),
    "no-such",
  ]);
  const asked = [...ids].map((id, index) => ({
    id,
    country: countries[index % countries.length] ?? "US",
    locale: locales[index % locales.length] ?? "en-US",
  }));
  const texts = sample(catalogue.offerText.values(), 60, ({ tags }) => tags === null);
  return [
    ...asked,
    ...texts.map(({ offerId, locale }) => ({ id: offerId, country: "US", locale })),
  ].map((question) => ({
    path: `/offers/${question.id}/overview?country=${question.country}&locale=${question.locale}`,
    expected: overviewOf(catalogue, model, question),
  }));
}
