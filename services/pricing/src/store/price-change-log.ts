import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { changeLogSource } from "@storefront/change-feed";
import type { LogFilter, LogSource } from "@storefront/change-feed";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { PriceChangeSchema } from "@storefront/contracts/pricing/v1/price_change";
import type { Database } from "@storefront/database";
import { isPriceChange } from "../domain/is-price-change.ts";
import { changeIdOf } from "../domain/price-change-id.ts";
import { priceKind } from "../kinds/pricing-kinds.ts";
import { readPricesBefore } from "./prices-before.ts";
import type { PriceBefore } from "./prices-before.ts";

/**
 * The service's log as serialized PriceChange messages, filtered by the region, which is the last member of
 * a price's identity. Writes that are no change of a price are passed over as other kinds are.
 */
export function priceChangeLog(database: Database): LogSource {
  const log = changeLogSource(database, "pricing");
  return {
    ...log,
    async read(after, filter, maxEntries) {
      const batch = await log.read(after, ofPrices(filter), maxEntries);
      return { ...batch, entries: await priceChangesOf(database, batch.entries) };
    },
  };
}

/** The changes among logged prices, serialized FeedEntry messages, in their order. */
export async function priceChangesOf(
  database: Database,
  logged: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const entries = logged.map((bytes) => fromBinary(FeedEntrySchema, bytes));
  const before = await readPricesBefore(
    database,
    entries.map(({ key: [offerId = "", region = ""], observedAt, sequence }) => ({
      offerId,
      region,
      observedAt: dateOf(observedAt),
      sequence,
    })),
  );
  return entries.flatMap((entry, index) => changeOf(entry, before[index]) ?? []);
}

/** The same of prices alone. */
export function ofPrices(filter: LogFilter | undefined): LogFilter {
  return { ...filter, kinds: [priceKind.name] };
}

function changeOf(entry: FeedEntry, before: PriceBefore | undefined): Uint8Array | undefined {
  if (before?.isForgotten === true) return undefined;
  const { isForgotten, sequence, identity, committedAt, observedAt } = entry;
  const [offerId = "", region = ""] = entry.key;
  const previousPrice = isForgotten ? undefined : priceOf(before?.record);
  const price = priceOf(entry.record?.value);
  if (!isForgotten && !isPriceChange(previousPrice, price)) return undefined;
  const change = create(PriceChangeSchema, {
    id: changeIdOf({ sequence, identity }),
    offerId,
    region,
    ...(committedAt && { committedAt }),
    ...(observedAt && { observedAt }),
    ...(previousPrice && { previousPrice }),
    ...(price && { price }),
    isForgotten,
  });
  return toBinary(PriceChangeSchema, change);
}

function priceOf(bytes: Uint8Array | undefined): OfferPrice | undefined {
  return bytes && fromBinary(OfferPriceSchema, bytes);
}

/** Every logged write has one. */
function dateOf(observedAt: Timestamp | undefined): Date {
  if (observedAt === undefined) throw new TypeError("a logged write says when it was seen");
  return timestampDate(observedAt);
}
