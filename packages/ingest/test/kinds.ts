import { create } from "@bufbuild/protobuf";
import { OfferDetailsSchema } from "@storefront/contracts/catalog/v1/offer_details";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { RankingSchema } from "@storefront/contracts/catalog/v1/ranking";
import type { RecordKind } from "../src/record-kind.ts";

/** A kind with a changelog. */
export const offerKind: RecordKind<typeof OfferSchema> = {
  name: "offer",
  schema: OfferSchema,
  table: "test.offer",
  columns: [
    { name: "title", type: "text", value: ({ title }) => title },
    { name: "tags", type: "text[]", value: ({ tags }) => tags.map(({ id }) => id) },
  ],
  namespace: ({ namespace }) => namespace,
  summary: ({ id, title = null }) => ({ id, title }),
};

/** A kind whose observations may mean a removal. */
export const rankingKind: RecordKind<typeof RankingSchema> = {
  name: "ranking",
  schema: RankingSchema,
  table: "test.ranking",
  columns: [],
  normalize: (record) => (record.position === 0 ? undefined : record),
};

/** A kind whose observations do not change absent members. */
export const offerDetailsKind: RecordKind<typeof OfferDetailsSchema> = {
  name: "offerDetails",
  schema: OfferDetailsSchema,
  table: "test.offer_details",
  columns: [],
  merge: (stored, record) => {
    const media = record.media ?? stored.media;
    const polls = record.polls ?? stored.polls;
    return create(OfferDetailsSchema, {
      offerId: record.offerId,
      ...(media && { media }),
      ...(polls && { polls }),
    });
  },
};
