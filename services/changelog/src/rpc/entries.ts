import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import type { LogPosition, LogTail } from "@storefront/change-feed";
import {
  BatchGetEntriesResponseSchema,
  GetEntryResponseSchema,
  ListEntriesRequestSchema,
  ListEntriesResponseSchema,
  ListEntriesSinceRequestSchema,
  ListEntriesSinceResponseSchema,
  WatchEntriesResponseSchema,
} from "@storefront/contracts/changelog/v1/changelog_service";
import type {
  ChangelogService,
  ListEntriesSinceRequest,
} from "@storefront/contracts/changelog/v1/changelog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { encodedOf, notFound, pageOf, ServiceError } from "@storefront/rpc";
import type { EntryLog } from "../store/entry-log.ts";
import type { EntryStore } from "../store/entry-store.ts";

const scopeKinds = { sandboxId: "sandbox", itemId: "item" } as const;

/** The handlers of the reads, by RPC; the contract says what each returns. */
export function entryHandlers(deps: {
  entries: EntryStore;
  log: EntryLog;
  tail: LogTail;
}): ServiceImpl<typeof ChangelogService> {
  return {
    async listEntries(request) {
      const { scope, contextType, contextId } = request;
      const range = pageOf(ListEntriesRequestSchema, request);

      const filter = {
        scope: scope.case && { kind: scopeKinds[scope.case], key: scope.value },
        contextType: contextType || undefined,
        contextId: contextId || undefined,
      };
      const { entries, totalSize } = await deps.entries.list(filter, range);
      return encodedOf(ListEntriesResponseSchema, { entries, totalSize });
    },

    async listEntriesSince(request) {
      const range = pageOf(ListEntriesSinceRequestSchema, request);

      const entries = await deps.log.listAfter(await positionOf(request.start, deps.log), range);
      return encodedOf(ListEntriesSinceResponseSchema, { entries });
    },

    async getEntry({ entryId }) {
      const [entry] = await deps.entries.getMany([entryId]);
      if (entry === undefined) throw entryNotFound(entryId);
      return encodedOf(GetEntryResponseSchema, { entry });
    },

    async batchGetEntries({ entryIds }) {
      const entries = await deps.entries.getMany(entryIds);
      return encodedOf(BatchGetEntriesResponseSchema, { entries });
    },

    async *watchEntries({ afterEntryId }, { signal }) {
      const start = await watchStartOf(deps.log, afterEntryId);
      let { startedAfterEntryId } = start;
      for await (const { entries } of deps.tail.watch({ after: start.after, signal })) {
        yield encodedOf(WatchEntriesResponseSchema, { entries, startedAfterEntryId });
        startedAfterEntryId = "";
      }
    },
  };
}

/** The offset after which a list begins; without a start, the beginning of the log. */
async function positionOf(start: ListEntriesSinceRequest["start"], log: EntryLog): Promise<bigint> {
  if (start.case === "since") return await log.startOf(ceilingOf(start.value));
  if (start.case === undefined) return 0n;
  return (await positionAfter(log, start.value)).sequence;
}

/** The first millisecond that is not before a time: entries are stored to the millisecond. */
function ceilingOf({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1000 + Math.ceil(nanos / 1_000_000));
}

/** Where a watch starts, and what its first message says of that. */
async function watchStartOf(
  log: EntryLog,
  afterEntryId: string,
): Promise<{ after: LogPosition; startedAfterEntryId: string }> {
  if (afterEntryId !== "") {
    return { after: await positionAfter(log, afterEntryId), startedAfterEntryId: "" };
  }
  const newest = await log.newestResumable();
  if (newest === undefined) return { after: await log.newest(), startedAfterEntryId: "" };
  return { after: newest.position, startedAfterEntryId: newest.id };
}

/**
 * The position of an entry that a reader has got, with everything before it.
 *
 * @throws ServiceError ENTRY_NOT_FOUND when it is unknown, ENTRY_UNDONE when it, or something before it, was
 * taken back since.
 */
async function positionAfter(log: EntryLog, entryId: string): Promise<LogPosition> {
  const position = await log.positionOf(entryId);
  if (position === undefined) {
    throw (await log.isUndone(entryId)) ? entryUndone(entryId) : entryNotFound(entryId);
  }
  if (await log.isUndoneAfter(position.sequence)) throw entryUndone(entryId);
  return position;
}

function entryNotFound(entryId: string): ServiceError {
  return notFound(ErrorReason.ENTRY_NOT_FOUND, "no such entry", { entryId });
}

/** This entry, or one before it, was undone with a history that the catalog has lost. */
export function entryUndone(entryId: string): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.ENTRY_UNDONE,
    message: "entries up to this one were undone: restart without it",
    metadata: { entryId },
  });
}
