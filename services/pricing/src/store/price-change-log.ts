import { clone, create, equals, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import {
  changeLogSource,
  encodeCommitted,
  maxScannedEntries,
  microsecondsSql,
} from "@storefront/change-feed";
import type { LogSource } from "@storefront/change-feed";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { PriceChangeSchema } from "@storefront/contracts/pricing/v1/price_change";
import type { Database, Queryable } from "@storefront/database";
import { changeIdOf } from "../domain/price-change-id.ts";
import { priceKind } from "../kinds/pricing-kinds.ts";
import type { Region } from "@storefront/domain/identifiers";

/**
 * The service's log as serialized PriceChange messages, filtered by the region, which is the last member of a price's
 * identity. Writes that change no price are skipped like other kinds.
 */
export function priceChangeLog(database: Database): LogSource {
  const log = changeLogSource(database, "pricing");
  return {
    ...log,
    async read(after, filter, maxEntries) {
      const batch = await log.read(after, { ...filter, kinds: [priceKind.name] }, maxEntries);
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

/** A write of a price in the log. */
interface LoggedPrice {
  readonly offerId: string;
  readonly region: string;
  readonly observedAt: Date;
  readonly sequence: bigint;
}

/** The state before a write of a price. */
interface PriceBefore {
  /** A serialized OfferPrice; undefined when there was none. */
  readonly record: Uint8Array | undefined;
  /** Whether the price was forgotten after the write, and is no longer shown. */
  readonly isForgotten: boolean;
}

// A price is only written by a later observation than its last state, so the state before a write is the previously
// observed one. The history has it as long as the price is not forgotten.
const readPricesBeforeSql = {
  name: "pricing.readPricesBefore",
  text: `select before.record, forgotten.offer_id is not null as is_forgotten
    from unnest($1::text[], $2::text[], $3::timestamptz[], $4::int8[])
      with ordinality as written(offer_id, region, observed_at, seq, place)
    left join lateral (
      select history.record from pricing.price_history as history
      where history.offer_id = written.offer_id and history.region = written.region
        and history.observed_at < written.observed_at
      order by history.observed_at desc limit 1
    ) as before on true
    left join pricing.forgotten_price as forgotten
      on forgotten.offer_id = written.offer_id and forgotten.region = written.region
      and written.seq <= forgotten.sequence
    order by written.place`,
};

/** The states before each of these writes, in their order. */
async function readPricesBefore(
  queryable: Queryable,
  writes: readonly LoggedPrice[],
): Promise<PriceBefore[]> {
  if (writes.length === 0) return [];
  const rows = await queryable.read<{ record: Uint8Array | null; is_forgotten: boolean }>(
    readPricesBeforeSql,
    [
      writes.map(({ offerId }) => offerId),
      writes.map(({ region }) => region),
      writes.map(({ observedAt }) => observedAt),
      writes.map(({ sequence }) => sequence),
    ],
  );
  return rows.map(({ record, is_forgotten }) => ({
    record: record ?? undefined,
    isForgotten: is_forgotten,
  }));
}

/**
 * Whether a write changed the visible state of a price, including its existence. The time when its source set it does
 * not count: sources set it again without a change.
 */
function isPriceChange(before: OfferPrice | undefined, after: OfferPrice | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return !equals(OfferPriceSchema, undated(before), undated(after));
}

function undated(price: OfferPrice): OfferPrice {
  const shown = clone(OfferPriceSchema, price);
  delete shown.updatedAt;
  return shown;
}

interface Row {
  /** Of the first entry of the stretch; null when there is none. */
  first: bigint | null;
  seq: bigint | null;
  committed_us: bigint;
  entry: Uint8Array;
}

/** The newest prices of a stretch of the log. */
interface NewestPrices {
  /** Serialized FeedEntry messages, newest first. */
  readonly entries: readonly Uint8Array[];
  /** All requested prices with this sequence or a greater one are included; 0 when there are no more. */
  readonly from: bigint;
}

// By the primary keys of the log, from its end.
const readNewestPricesSql = {
  name: "pricing.readNewestPrices",
  isPlannedEachTime: true,
  text: `
    with stretch as materialized (
      select seq, kind, key, committed_at, entry from pricing.change_log
      where seq < $1 order by seq desc limit ${maxScannedEntries}
    )
    select scanned.first, found.* from (select min(seq) as first from stretch) as scanned
    left join (
      select seq, ${microsecondsSql("committed_at")} as committed_us, entry from stretch
      where kind = 'price' and ($2::text is null or key[2] = $2)
      order by seq desc limit $3
    ) as found on true
    order by found.seq desc`,
};

/** The newest writes of prices before a sequence, of one region or all; those of a bounded stretch of the log. */
export async function readNewestPrices(
  database: Database,
  { before, region, limit }: { before: bigint; region: Region | undefined; limit: number },
): Promise<NewestPrices> {
  const parameters = [before, region ?? null, limit];
  const rows = await database.read<Row>(readNewestPricesSql, parameters);
  const entries = rows.flatMap(({ seq, committed_us, entry }) =>
    seq === null ? [] : [encodeCommitted(seq, committed_us, entry)],
  );
  const last = entries.length === limit ? rows.at(-1)?.seq : rows[0]?.first;
  return { entries, from: last ?? 0n };
}

interface Entry {
  seq: bigint;
  committed_at: Date;
}

const startSql = {
  name: "pricing.logStart",
  text: "select sequence as seq, committed_at from pricing.log_start",
};

const newestSql = {
  name: "pricing.newestLogged",
  text: "select seq, committed_at from pricing.change_log order by seq desc limit 1",
};

const nextSql = {
  name: "pricing.nextLogged",
  isPlannedEachTime: true,
  text: "select seq, committed_at from pricing.change_log where seq > $1 order by seq limit 1",
};

/**
 * The sequence after which the entries of the log begin that were not committed before a time, found by
 * halving: times rise with sequences, and only those have an index. 0 when the time is before the log.
 */
export async function placeSince(queryable: Queryable, since: Date): Promise<bigint> {
  const start = await queryable.readOne<Entry>(startSql);
  if (start !== undefined && start.committed_at >= since) return 0n;
  // Entries up to `low` were committed before the time, those after `high` were not.
  let low = start?.seq ?? 0n;
  let high = (await queryable.readOne<Entry>(newestSql))?.seq ?? low;
  while (low < high) {
    const middle = (low + high) / 2n;
    const next = await queryable.readOne<Entry>(nextSql, [middle]);
    if (next === undefined || next.committed_at >= since) high = middle;
    else low = next.seq;
  }
  return low;
}
