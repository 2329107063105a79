import type { Expected, Model } from "./model.ts";

/** What a batch asks for. */
export interface BatchQuery {
  ids: readonly string[];
  country: string;
  locale: string;
  /** Whether with prices; default true. */
  prices?: boolean;
  /** Default all. */
  fields?: readonly string[];
}

/** What `batchGetOffers` returns, written from docs/api alone. */
export function offerBatchOf(model: Model, query: BatchQuery): Expected {
  const { country, locale, prices = true, fields } = query;
  const ids = [...new Set(query.ids)];
  const answers = ids.map((id) => ({ id, answer: model.getOffer(id, country, locale) }));
  const isShown = (name: string) =>
    (name !== "price" || prices) && (name === "id" || (fields?.includes(name) ?? true));
  return {
    status: 200,
    body: {
      offers: answers.flatMap(({ answer }) =>
        answer.status === 200 ? [withoutOthers(answer.body, isShown)] : [],
      ),
      unknown: answers.filter(({ answer }) => answer.status !== 200).map(({ id }) => id),
    },
  };
}

/** A body whose members that are not shown are expected to be absent. */
export function withoutOthers(body: unknown, isShown: (name: string) => boolean): unknown {
  return Object.fromEntries(
    Object.entries(Object(body)).map(([name, value]) => [name, isShown(name) ? value : null]),
  );
}
