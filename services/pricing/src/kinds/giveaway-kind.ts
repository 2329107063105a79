import { timestampDate } from "@bufbuild/protobuf/wkt";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import type { RecordKind } from "@storefront/ingest";

/** Times during which an offer costs nothing. */
export const giveawayKind: RecordKind<typeof GiveawaySchema> = {
  name: "giveaway",
  schema: GiveawaySchema,
  table: "pricing.giveaway",
  columns: [
    { name: "offer_id", type: "text", value: ({ offerId }) => offerId },
    { name: "platform", type: "text", value: ({ platform }) => platform },
    {
      name: "start_date",
      type: "timestamptz",
      value: ({ startDate }) => startDate && timestampDate(startDate),
    },
    {
      name: "end_date",
      type: "timestamptz",
      value: ({ endDate }) => endDate && timestampDate(endDate),
    },
  ],
  namespace: ({ namespace }) => namespace,
};
