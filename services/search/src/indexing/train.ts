import type { Queryable } from "@storefront/database";
import type { Embedder, OfferText } from "../embedder/embedder.ts";
import type { Training } from "../store/training-store.ts";
import { allOfferTexts } from "./offer-texts.ts";

/** Lets an embedder learn from all stored offers; undefined when it is not of the kind that learns. */
export async function train(
  embedder: Embedder | undefined,
  database: Queryable,
  signal?: AbortSignal,
): Promise<Training | undefined> {
  if (embedder?.train === undefined) return undefined;
  let offers = 0;
  async function* counted(): AsyncGenerator<OfferText> {
    for await (const text of allOfferTexts(database, signal)) {
      offers += 1;
      yield text;
    }
  }
  const trained = await embedder.train(counted());
  return { trained, offers };
}
