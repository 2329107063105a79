import { timestampDate } from "@bufbuild/protobuf/wkt";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import type { Price } from "@storefront/contracts/type/v1/price";
import { bulkInsert } from "@storefront/database";
import type { RecordKind } from "@storefront/ingest";
import type { FieldViolation } from "@storefront/rpc";
import { storePasts } from "../store/price-past-store.ts";
import { readRegionIds } from "../store/region-store.ts";
import { regionKind } from "./region-kind.ts";

/** Prices: the present one per offer and region, and all of its states. */
export const priceKind: RecordKind<typeof OfferPriceSchema> = {
  name: "price",
  schema: OfferPriceSchema,
  table: "pricing.price",
  columns: [{ name: "discount", type: "int8", value: ({ price }) => price?.discount }],
  normalize: (record) =>
    record.price === undefined ? record : { ...record, price: withDiscount(record.price) },
  constraint: async (tx) => {
    const ids = await readRegionIds(tx);
    return { check: ({ record }) => record && regionFault(record, ids) };
  },
  onWritten: async (tx, writes) => {
    await storePasts(tx, writes);
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
  // A trigger deletes its past with its history.
  onForgotten: async (tx, [offerId, region]) => {
    await tx.write("delete from pricing.price_history where offer_id = $1 and region = $2", [
      offerId,
      region,
    ]);
  },
};

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

/**
 * Every kind of record that the service owns. The SQL that writes them is shared by all services:
 * `packages/ingest/src/apply/store-key-states.ts`.
 */
export const pricingKinds: readonly RecordKind[] = [regionKind, priceKind, giveawayKind];

/** Any currency is taken: a price may be older than the region's present one. */
function regionFault({ region }: OfferPrice, ids: ReadonlySet<string>): FieldViolation | undefined {
  if (ids.has(region)) return undefined;
  const description = `must be one of the pricing regions: there is no ${region}`;
  return { field: "region", description };
}

/** The price with a computed discount, whatever its source reported. */
function withDiscount(price: Price): Price {
  return { ...price, discount: price.originalPrice - price.discountPrice };
}

function updatedAtOf({ updatedAt }: OfferPrice): Date | undefined {
  return updatedAt && timestampDate(updatedAt);
}
