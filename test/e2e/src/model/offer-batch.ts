import type { Expected, Model } from "./model.ts";

/** Query of a batch. */
export interface BatchQuery {
  ids: readonly string[];
  country: string;
  locale: string;
  /** Whether to include prices; default true. */
  prices?: boolean;
  /** Default all. */
  fields?: readonly string[];
}

/** What `batchGetOffers` returns, written from docs/api alone. */
export function offerBatchOf(model: Model, query: BatchQuery): Expected {
  const { country, locale, prices = true, fields } = query;
  const ids = [...new Set(query.ids)];
  const results = ids.map((id) => ({ id, result: model.getOffer(id, country, locale) }));
  const isShown = (name: string) =>
    (name !== "price" || prices) && (name === "id" || (fields?.includes(name) ?? true));
  return {
    status: 200,
    body: {
      offers: results.flatMap(({ result }) =>
        result.status === 200 ? [withoutOthers(result.body, isShown)] : [],
      ),
      unknown: results.filter(({ result }) => result.status !== 200).map(({ id }) => id),
    },
  };
}

/** A body in which the members that are not shown must be absent. */
export function withoutOthers(body: unknown, isShown: (name: string) => boolean): unknown {
  return Object.fromEntries(
    Object.entries(Object(body)).map(([name, value]) => [name, isShown(name) ? value : null]),
  );
}
