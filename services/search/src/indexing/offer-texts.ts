import { fromBinary } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { Queryable } from "@storefront/database";
import type { OfferText } from "../embedder/embedder.ts";
import { listOfferIds, readOffers } from "../store/source-offer-store.ts";
import type { OfferRow } from "../store/source-offer-store.ts";

const pageSize = 500;

/** The texts of stored offers, by id; what is not stored has none. */
export async function readOfferTexts(
  queryable: Queryable,
  ids: readonly string[],
): Promise<OfferText[]> {
  return (await readOffers(queryable, ids)).map(offerText);
}

/** Pages of ids of stored offers, and of some that have but prices, ascending. */
async function* offerIdPages(queryable: Queryable): AsyncGenerator<string[]> {
  for (let after = ""; ;) {
    const ids = await listOfferIds(queryable, after, pageSize);
    const last = ids.at(-1);
    if (last === undefined) return;
    yield ids;
    after = last;
  }
}

/** The texts of all stored offers, by id. */
export async function* allOfferTexts(
  queryable: Queryable,
  signal?: AbortSignal,
): AsyncGenerator<OfferText> {
  for await (const ids of offerIdPages(queryable)) {
    signal?.throwIfAborted();
    yield* await readOfferTexts(queryable, ids);
  }
}

function offerText(row: OfferRow): OfferText {
  const offer = fromBinary(OfferSchema, row.record);
  return {
    offerId: offer.id,
    title: offer.title ?? "",
    // Catalogues often repeat the title for a short description; the long one says what it is about.
    description: [offer.description, offer.longDescription].filter(Boolean).join("\n\n"),
    tags: offer.tags.flatMap(({ name }) => (name ? [name] : [])),
    developer: offer.developerDisplayName ?? "",
    publisher: offer.publisherDisplayName ?? "",
  };
}
