import { create } from "@bufbuild/protobuf";
import { OfferDetailsSchema } from "@storefront/contracts/catalog/v1/offer_details";
import type { RecordKind } from "@storefront/ingest";

/** What overviews show beside offers. A member that an observation leaves out stays as it is stored. */
export const offerDetailsKind: RecordKind<typeof OfferDetailsSchema> = {
  name: "offerDetails",
  schema: OfferDetailsSchema,
  table: "catalog.offer_details",
  columns: [],
  merge: (stored, observed) =>
    create(OfferDetailsSchema, {
      offerId: observed.offerId,
      media: observed.media ?? stored.media,
      extdb: observed.extdb ?? stored.extdb,
      polls: observed.polls ?? stored.polls,
    }),
};
