import type { Timestamp } from "@bufbuild/protobuf/wkt";
import {
  ListEntriesSinceRequestSchema,
  ListEntriesSinceResponseSchema,
} from "@storefront/contracts/changelog/v1/changelog_service";
import type { ListEntriesSinceRequest } from "@storefront/contracts/changelog/v1/changelog_service";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { EntryLog } from "../store/entry-log.ts";
import type { ChangelogHandlers } from "./handlers.ts";
import { placeAfter } from "./place-after.ts";

export function listEntriesSince(deps: { log: EntryLog }): ChangelogHandlers["listEntriesSince"] {
  return async (request) => {
    const range = pageOf(ListEntriesSinceRequestSchema, request);

    const entries = await deps.log.listAfter(await positionOf(request.start, deps.log), range);
    return encodedOf(ListEntriesSinceResponseSchema, { entries });
  };
}

/** The place in the log after which the list begins; without a start, its beginning. */
async function positionOf(start: ListEntriesSinceRequest["start"], log: EntryLog): Promise<bigint> {
  if (start.case === "since") return await log.startOf(ceilingOf(start.value));
  if (start.case === undefined) return 0n;
  return (await placeAfter(log, start.value)).sequence;
}

/** The first millisecond that is not before a time: entries are kept to the millisecond. */
function ceilingOf({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1000 + Math.ceil(nanos / 1_000_000));
}
