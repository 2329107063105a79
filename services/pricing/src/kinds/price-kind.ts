import { timestampDate } from "@bufbuild/protobuf/wkt";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { bulkInsert } from "@storefront/database";
import type { RecordKind } from "@storefront/ingest";
import { withDiscount } from "../domain/with-discount.ts";

/** Prices: the present one per offer and region, and beside it every state it has had. */
export const priceKind: RecordKind<typeof OfferPriceSchema> = {
  name: "price",
  schema: OfferPriceSchema,
  table: "pricing.price",
  columns: [{ name: "discount", type: "int8", value: ({ price }) => price?.discount }],
  normalize: (record) =>
    record.price === undefined ? record : { ...record, price: withDiscount(record.price) },
  onWritten: async (tx, writes) => {
    await bulkInsert(
      tx,
      {
        table: "pricing.price_history",
        columns: [
          { name: "offer_id", type: "text" },
          { name: "region", type: "text" },
          { name: "observed_at", type: "timestamptz" },
          { name: "updated_at", type: "timestamptz" },
          { name: "record", type: "bytea" },
        ],
      },
      writes.map(({ key: [offerId, region], observedAt, after }) => ({
        offer_id: offerId,
        region,
        observed_at: observedAt,
        updated_at: after && updatedAtOf(after.record),
        record: after?.bytes,
      })),
    );
  },
  onForgotten: async (tx, [offerId, region]) => {
    await tx.write("delete from pricing.price_history where offer_id = $1 and region = $2", [
      offerId,
      region,
    ]);
  },
};

function updatedAtOf({ updatedAt }: OfferPrice): Date | undefined {
  return updatedAt && timestampDate(updatedAt);
}
