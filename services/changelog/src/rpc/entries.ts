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
  ListEntriesRequest,
  ListEntriesSinceRequest,
} from "@storefront/contracts/changelog/v1/changelog_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Queryable } from "@storefront/database";
import { encodedOf, notFound, pageOf, ServiceError } from "@storefront/rpc";
import type { EntryLog } from "../store/entry-log.ts";

const scopeKinds = { sandboxId: "sandbox", itemId: "item" } as const;

/** The handlers of the reads, by RPC; the contract specifies what each returns. */
export function entryHandlers(deps: {
  database: Queryable;
  log: EntryLog;
  tail: LogTail;
}): ServiceImpl<typeof ChangelogService> {
  return {
    async listEntries(request) {
      const { pageSize, offset } = pageOf(ListEntriesRequestSchema, request);
      const [statement, ...parameters] = listOf(request);
      const rows = await deps.database.read<PageRow>(statement, [...parameters, pageSize, offset]);
      return encodedOf(ListEntriesResponseSchema, {
        entries: rows.flatMap(({ entry }) => entry ?? []),
        totalSize: rows[0]?.total ?? 0n,
      });
    },

    async listEntriesSince(request) {
      const range = pageOf(ListEntriesSinceRequestSchema, request);

      const entries = await deps.log.listAfter(await positionOf(request.start, deps.log), range);
      return encodedOf(ListEntriesSinceResponseSchema, { entries });
    },

    async getEntry({ entryId }) {
      const [entry] = await entriesOf(deps.database, [entryId]);
      if (entry === undefined) throw entryNotFound(entryId);
      return encodedOf(GetEntryResponseSchema, { entry });
    },

    async batchGetEntries({ entryIds }) {
      const entries = await entriesOf(deps.database, entryIds);
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

/** A time rounded up to the millisecond: entries are stored to the millisecond. */
function ceilingOf({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1000 + Math.ceil(nanos / 1_000_000));
}

/** Where a watch starts, and how its first message reports that. */
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
 * The position of an entry up to which a reader has read.
 *
 * @throws ServiceError ENTRY_NOT_FOUND when it is unknown, ENTRY_UNDONE when it, or an earlier one, was undone since.
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

interface NamedStatement {
  name: string;
  text: string;
}

interface PageRow {
  total: bigint;
  entry: Uint8Array | null;
}

// In each, the page is found in an index before its entries are read, and the total is of the same
// snapshot. Totals of whole lists are stored; those of one context are counted: a record has few entries.
const listAll = pageStatement({
  name: "changelog.listAll",
  total: "coalesce((select entries from changelog.scope where kind = 'all'), 0)",
  page: "select id, observed_at from changelog.entry",
  firstParameter: 1,
});
const listOfType = pageStatement({
  name: "changelog.listOfType",
  total: "coalesce((select entries from changelog.scope where kind = 'type' and key = $1), 0)",
  page: "select id, observed_at from changelog.entry where context_type = $1",
  firstParameter: 2,
});
const listOfContext = pageStatement({
  name: "changelog.listOfContext",
  total: `(select count(*) from changelog.entry
    where context_id = $1 and ($2::text is null or context_type = $2))`,
  page: `select id, observed_at from changelog.entry
    where context_id = $1 and ($2::text is null or context_type = $2)`,
  firstParameter: 3,
});
const listOfScope = pageStatement({
  name: "changelog.listOfScope",
  total: "coalesce((select entries from changelog.scope where kind = $1 and key = $2), 0)",
  page: `select id, observed_at from changelog.scope_entry
    where scope = (select id from changelog.scope where kind = $1 and key = $2)`,
  firstParameter: 3,
});
const scopedContext = `
  from changelog.scope_entry as listed
  join changelog.entry as wanted on wanted.id = listed.id
  where listed.scope = (select id from changelog.scope where kind = $1 and key = $2)
    and ($3::text is null or wanted.context_type = $3)
    and ($4::text is null or wanted.context_id = $4)`;
const listOfScopedContext = pageStatement({
  name: "changelog.listOfScopedContext",
  total: `(select count(*) ${scopedContext})`,
  page: `select listed.id, listed.observed_at ${scopedContext}`,
  order: "listed.observed_at desc, listed.id",
  firstParameter: 5,
});

const getMany = {
  name: "changelog.getEntries",
  text: `
    select entry.entry
    from unnest($1::text[]) with ordinality as wanted(id, place)
    join changelog.entry on entry.id = wanted.id
    order by wanted.place`,
};

/** The known ones of these, in the requested order. */
async function entriesOf(database: Queryable, ids: readonly string[]): Promise<Uint8Array[]> {
  const rows = await database.read<{ entry: Uint8Array }>(getMany, [ids]);
  return rows.map(({ entry }) => entry);
}

/** The statement for a list, newest first with ties by id, and its parameters without the page. */
function listOf({ scope, ...context }: ListEntriesRequest): [NamedStatement, ...unknown[]] {
  const contextType = context.contextType || null;
  const contextId = context.contextId || null;
  if (scope.case !== undefined) {
    const key = [scopeKinds[scope.case], scope.value];
    return contextType === null && contextId === null
      ? [listOfScope, ...key]
      : [listOfScopedContext, ...key, contextType, contextId];
  }
  if (contextId !== null) return [listOfContext, contextId, contextType];
  return contextType === null ? [listAll] : [listOfType, contextType];
}

/** A page of what `page` selects, with `total` in every row; one row without an entry for an empty page. */
function pageStatement(parts: {
  name: string;
  total: string;
  page: string;
  firstParameter: number;
  order?: string;
}): NamedStatement {
  const { name, total, page, firstParameter, order = "observed_at desc, id" } = parts;
  return {
    name,
    text: `
      select counted.total, shown.entry
      from (select (${total})::int8 as total) as counted
      left join (
        select entry.entry, entry.observed_at, entry.id
        from (
          ${page}
          order by ${order}
          limit $${firstParameter} offset $${firstParameter + 1}
        ) as page
        join changelog.entry on entry.id = page.id
      ) as shown on true
      order by shown.observed_at desc, shown.id`,
  };
}
