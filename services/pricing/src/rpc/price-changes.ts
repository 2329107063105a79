import { fromBinary } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { checkPosition } from "@storefront/change-feed";
import type { LogFilter, LogPosition, LogSource, LogTail } from "@storefront/change-feed";
import { PriceChangeSchema } from "@storefront/contracts/pricing/v1/price_change";
import {
  ListPriceChangesRequestSchema,
  ListPriceChangesResponseSchema,
  WatchPriceChangesResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import type { ListPriceChangesRequest } from "@storefront/contracts/pricing/v1/pricing_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Database } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import type { Region } from "@storefront/domain/identifiers";
import { encodedOf, notFound, pageOf } from "@storefront/rpc";
import { changeIdOf, readChangeId } from "../domain/price-change-id.ts";
import { readNewestPrices, placeSince, priceChangesOf } from "../store/price-change-log.ts";
import type { PricingHandlers } from "./handlers.ts";

// Each reads one stretch of the log, so that a region without changes does not require a scan of all.
const maxReads = 10;

// Minimum writes to read, even for a short page, since not each is a change.
const minWritesRead = 100;

interface Dependencies {
  database: Database;
  changes: LogSource;
  tail: LogTail;
}

/** Which changes, and how many at most. */
interface Wanted {
  region: Region | undefined;
  pageSize: number;
}

/** Serialized changes, and the id of the position up to which they are complete. */
interface Page {
  changes: Uint8Array[];
  throughChangeId: string;
}

export function priceChangeHandlers(deps: Dependencies) {
  return {
    async listPriceChanges(request) {
      const { pageSize } = pageOf(ListPriceChangesRequestSchema, request);
      const wanted = {
        region: request.region === "" ? undefined : asRegion(request.region),
        pageSize,
      };
      const after = await placeOf(request.start, deps.database);
      const page =
        after === undefined ? await newest(deps, wanted) : await following(deps, wanted, after);
      return encodedOf(ListPriceChangesResponseSchema, { ...page });
    },

    async *watchPriceChanges({ region, afterChangeId }, { signal }) {
      const after =
        afterChangeId === "" ? await deps.changes.newest() : placeAfterChange(afterChangeId);
      yield { throughChangeId: changeIdOf(after) };
      const filter: LogFilter = { lastKeyMember: region === "" ? undefined : region };
      for await (const { entries, through } of deps.tail.watch({ after, filter, signal })) {
        yield encodedOf(WatchPriceChangesResponseSchema, {
          changes: entries,
          throughChangeId: changeIdOf(through),
        });
      }
    },
  } satisfies PricingHandlers;
}

/** The position after which the list begins; undefined without a start. */
async function placeOf(
  start: ListPriceChangesRequest["start"],
  database: Database,
): Promise<LogPosition | undefined> {
  if (start.case === undefined) return undefined;
  if (start.case === "afterChangeId") return placeAfterChange(start.value);
  return { sequence: await placeSince(database, ceilingOf(start.value)), identity: "" };
}

async function newest(
  { database, changes }: Dependencies,
  { region, pageSize }: Wanted,
): Promise<Page> {
  const through = await changes.newest();
  const found: Uint8Array[] = [];
  let before = through.sequence + 1n;
  for (let reads = 0; reads < maxReads && found.length < pageSize && before > 0n; reads++) {
    const limit = Math.max(pageSize - found.length, minWritesRead);
    const { entries, from } = await readNewestPrices(database, { before, region, limit });
    found.push(...(await priceChangesOf(database, entries)));
    before = from;
  }
  return { changes: found.slice(0, pageSize), throughChangeId: changeIdOf(through) };
}

async function following(
  { changes }: Dependencies,
  { region, pageSize }: Wanted,
  start: LogPosition,
): Promise<Page> {
  const found: Uint8Array[] = [];
  let after = start;
  for (let reads = 0; reads < maxReads && found.length < pageSize; reads++) {
    const limit = Math.max(pageSize - found.length, minWritesRead);
    const batch = await changes.read(after.sequence, { lastKeyMember: region }, limit);
    checkPosition(after, batch);
    found.push(...batch.entries);
    after = batch.through;
    if (after.sequence >= batch.newest.sequence) break;
  }
  const last = found[pageSize - 1];
  if (last === undefined) return { changes: found, throughChangeId: changeIdOf(after) };
  const { id } = fromBinary(PriceChangeSchema, last);
  return { changes: found.slice(0, pageSize), throughChangeId: id };
}

/** A time rounded up to the millisecond. */
function ceilingOf({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1000 + Math.ceil(nanos / 1_000_000));
}

/**
 * The position of the log up to which a reader has read.
 *
 * @throws ServiceError PRICE_CHANGE_NOT_FOUND when the id names none.
 */
function placeAfterChange(changeId: string): LogPosition {
  const place = readChangeId(changeId);
  if (place === undefined) {
    const message = "no change of a price has an id like this";
    throw notFound(ErrorReason.PRICE_CHANGE_NOT_FOUND, message, { changeId });
  }
  return place;
}
