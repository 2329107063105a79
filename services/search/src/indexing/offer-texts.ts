import { fromBinary } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { Queryable } from "@storefront/database";
import type { Embedder, OfferText } from "../embedder/embedder.ts";
import { listOfferIds, readOffers } from "../store/source-offer-store.ts";
import type { OfferRow } from "../store/source-offer-store.ts";
import type { Training } from "../store/training-store.ts";

const pageSize = 500;

/** The texts of stored offers. */
export async function readOfferTexts(
  queryable: Queryable,
  ids: readonly string[],
): Promise<OfferText[]> {
  return (await readOffers(queryable, ids)).map(offerText);
}

/** Trains an embedder on all stored offers; undefined when it is not trainable. */
export async function train(
  embedder: Embedder | undefined,
  queryable: Queryable,
  signal?: AbortSignal,
): Promise<Training | undefined> {
  if (embedder?.train === undefined) return undefined;
  let offers = 0;
  async function* allTexts(): AsyncGenerator<OfferText> {
    let after: string | undefined = "";
    while (after !== undefined) {
      signal?.throwIfAborted();
      const ids = await listOfferIds(queryable, after, pageSize);
      const texts = await readOfferTexts(queryable, ids);
      offers += texts.length;
      yield* texts;
      after = ids.at(-1);
    }
  }
  return { trained: await embedder.train(allTexts()), offers };
}

function offerText(row: OfferRow): OfferText {
  const offer = fromBinary(OfferSchema, row.record);
  return {
    offerId: offer.id,
    title: offer.title ?? "",
    // Short descriptions often repeat the title; the long one has the content.
    description: [offer.description, offer.longDescription].filter(Boolean).join("\n\n"),
    tags: offer.tags.flatMap(({ name }) => (name ? [name] : [])),
    developer: offer.developerDisplayName ?? "",
    publisher: offer.publisherDisplayName ?? "",
  };
}
