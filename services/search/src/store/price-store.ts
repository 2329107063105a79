import { bulkUpsert } from "@storefront/database";
import type { Queryable, Transaction } from "@storefront/database";
import type { Region } from "@storefront/domain/identifiers";
import { dependsOnRelease, indexedLows } from "../domain/price-history.ts";
import type { IndexedLows, StoredFloor, StoredPrice } from "../domain/price-history.ts";
import type { PriceScope } from "../engine/index-documents.ts";
import { offerNumbers, readReleases } from "./source-offer-store.ts";

/** Cursor of the pricing feed. Earlier releases store prices elsewhere and have their own cursor, `pricing`. */
export const pricesCursor = "region prices";

/** A stored price, present or removed. */
export interface RegionPrice extends StoredPrice {
  readonly offerId: string;
  readonly region: Region;
}

/** With the lows for the index. */
interface IndexedPrice extends RegionPrice, IndexedLows {}

interface Row {
  offer_id: string;
  region: Region;
  original: number | null;
  discounted: number | null;
  updated_at: number | null;
  is_lowest: boolean;
  lowest_since: number | null;
  lowest: number | null;
  floor: StoredFloor | null;
}

const columns = `stored.region, original::float8 as original, discounted::float8 as discounted,
  updated_at::float8 as updated_at, is_lowest, lowest_since::float8 as lowest_since, lowest::float8 as lowest, floor`;

// `offset 0` forces index lookups: without statistics, as on PGlite, whole tables would be read.
const pricesOf = (wanted: string, isWanted: string) => `
  select wanted.offer_id, found.* from unnest(${wanted}
    cross join lateral (
      select number from search.offer_number as known where known.offer_id = wanted.offer_id offset 0
    ) as offer
    cross join lateral (
      select ${columns} from search.price as stored where stored.number = offer.number ${isWanted} offset 0
    ) as found`;

const pricesInRegions = {
  name: "search.readRegionPrices",
  text: pricesOf(
    "$1::text[], $2::text[]) as wanted(offer_id, region)",
    "and stored.region = wanted.region",
  ),
};

const pricesOfOffers = {
  name: "search.readPricesOfOffers",
  text: pricesOf("$1::text[]) as wanted(offer_id)", ""),
};

/** The stored prices of offers in their scopes. */
export async function readPrices(
  queryable: Queryable,
  scopes: readonly PriceScope[],
): Promise<IndexedPrice[]> {
  const wanted = scopes.flatMap(({ offerId, regions = [] }) =>
    regions.map((region) => ({ offerId, region })),
  );
  const whole = scopes.filter(({ regions }) => regions === undefined);
  const rows: Row[] = [];
  if (wanted.length > 0) {
    const keys = [wanted.map(({ offerId }) => offerId), wanted.map(({ region }) => region)];
    rows.push(...(await queryable.read<Row>(pricesInRegions, keys)));
  }
  if (whole.length > 0) {
    const ids = whole.map(({ offerId }) => offerId);
    rows.push(...(await queryable.read<Row>(pricesOfOffers, [ids])));
  }
  return rows.map(({ offer_id, updated_at, is_lowest, lowest_since, ...price }) => ({
    ...price,
    offerId: offer_id,
    updatedAtMs: updated_at,
    isLowest: is_lowest,
    lowestSinceMs: lowest_since,
  }));
}

/** Stores prices, at most one per offer and region; others stay. */
export async function storePrices(tx: Transaction, prices: readonly IndexedPrice[]): Promise<void> {
  const numbers = await offerNumbers(
    tx,
    prices.map(({ offerId }) => offerId),
  );
  await bulkUpsert(
    tx,
    {
      table: "search.price",
      keyColumns: ["number", "region"],
      leavesSame: true,
      columns: [
        { name: "region", type: "text" },
        { name: "number", type: "int" },
        { name: "original", type: "int8" },
        { name: "discounted", type: "int8" },
        { name: "updated_at", type: "int8" },
        { name: "is_lowest", type: "boolean" },
        { name: "lowest_since", type: "int8" },
        { name: "lowest", type: "int8" },
        { name: "floor", type: "jsonb" },
        { name: "lacks_floor", type: "boolean" },
      ],
    },
    prices.map(({ offerId, updatedAtMs, isLowest, lowestSinceMs, floor, ...price }) => ({
      ...price,
      number: numbers.get(offerId),
      updated_at: updatedAtMs,
      is_lowest: isLowest,
      lowest_since: lowestSinceMs,
      floor,
      lacks_floor: floor === null,
    })),
  );
}

/** For release 0.2.0, which knew no floors: whether there are prices that were migrated from it. */
export async function lacksFloors(queryable: Queryable): Promise<boolean> {
  const row = await queryable.readOne<{ is_lacking: boolean }>({
    name: "search.lacksFloors",
    text: "select exists (select from search.price where lacks_floor) as is_lacking",
  });
  return row?.is_lacking === true;
}

/** Stores prices with their lows, by the stored release dates. */
export async function storeWithLows(
  tx: Transaction,
  prices: readonly RegionPrice[],
): Promise<void> {
  const released = new Set(prices.filter(dependsOnRelease).map(({ offerId }) => offerId));
  const releases = released.size === 0 ? undefined : await readReleases(tx, [...released]);
  await storePrices(
    tx,
    prices.map((price) => ({ ...price, ...indexedLows(price, releases?.get(price.offerId)) })),
  );
}
