import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import type { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { notFound, ServiceError } from "@storefront/rpc";
import { EventEmitter, once } from "node:events";
import { records } from "./records.ts";

/** The failure of a watch that breaks. */
export class BrokenWatchError extends Error {
  override readonly name = "BrokenWatchError";
}

/** A changelog in memory. */
export interface EntryLog {
  handlers: Partial<ServiceImpl<typeof ChangelogService>>;
  append(...entries: Entry[]): void;
  /** Undoes an entry. */
  undo(id: string): void;
  /** Where each watch began, in the order of the calls. */
  watches: string[];
  /** Watches that are open. */
  watching: number;
  /** Whether a watch reports the entry that it starts after; the service of 0.2.0 does not. */
  reportsStart: boolean;
  /** Entries sent by all watches. */
  sentCount: number;
  /** Awaited by a watch before its first message; may throw. */
  beforeWatch: () => Promise<void>;
  /** Ends the watches as a draining service does, or breaks them. */
  endWatches(failure?: BrokenWatchError): void;
  reset(): void;
}

/** Most entries of a message, as of the service. */
const batchMax = 100;

/** Begins with the entries of the records. */
export function createEntryLog(): EntryLog {
  const entries: Entry[] = [...records.entries];
  const changed = new EventEmitter().setMaxListeners(0);
  let ending = new AbortController();

  const undone = new Set<string>();
  const positionAfter = (id: string): number => {
    if (undone.has(id)) {
      const { FailedPrecondition: code } = Code;
      const reason = ErrorReason.ENTRY_UNDONE;
      throw new ServiceError({ code, reason, message: "upstream text", metadata: { entryId: id } });
    }
    const index = entries.findIndex((entry) => entry.id === id);
    if (index === -1) throw notFound(ErrorReason.ENTRY_NOT_FOUND, "upstream text");
    return index + 1;
  };
  const pageOf = (from: Entry[], { page, pageSize }: { page: number; pageSize: number }) =>
    // 0 means 1.
    from.slice(Math.max(0, page - 1) * pageSize, Math.max(1, page) * pageSize);

  const log: EntryLog = {
    handlers: {
      listEntries(request) {
        const found = entries.filter(
          ({ contextType, contextId }) =>
            (request.contextType === "" || contextType === request.contextType) &&
            (request.contextId === "" || contextId === request.contextId),
        );
        const newestFirst = found.toReversed();
        return { entries: pageOf(newestFirst, request), totalSize: BigInt(found.length) };
      },
      listEntriesSince(request) {
        const { start } = request;
        const from = start.case === "afterEntryId" ? positionAfter(start.value) : 0;
        return { entries: pageOf(entries.slice(from), request) };
      },
      getEntry({ entryId }) {
        const entry = entries[positionAfter(entryId) - 1];
        return entry === undefined ? {} : { entry };
      },
      batchGetEntries: ({ entryIds }) => ({
        entries: entryIds.flatMap((id) => entries.find((entry) => entry.id === id) ?? []),
      }),
      async *watchEntries({ afterEntryId }, { signal }) {
        log.watches.push(afterEntryId);
        log.watching++;
        const ended = ending.signal;
        try {
          await log.beforeWatch();
          let position = afterEntryId === "" ? entries.length : positionAfter(afterEntryId);
          const startedAfterEntryId =
            afterEntryId === "" && log.reportsStart ? entries.at(-1)?.id : undefined;
          if (position === entries.length)
            yield startedAfterEntryId === undefined ? {} : { startedAfterEntryId };
          while (!ended.aborted && !signal.aborted) {
            const batch = entries.slice(position, position + batchMax);
            position += batch.length;
            log.sentCount += batch.length;
            if (batch.length > 0) yield { entries: batch };
            else await once(changed, "change", { signal }).catch(() => undefined);
          }
          if (ended.reason instanceof BrokenWatchError) throw ended.reason;
        } finally {
          log.watching--;
        }
      },
    },
    watches: [],
    watching: 0,
    sentCount: 0,
    reportsStart: true,
    beforeWatch: () => Promise.resolve(),
    append(...added) {
      entries.push(...added);
      changed.emit("change");
    },
    undo(id) {
      entries.splice(positionAfter(id) - 1, 1);
      undone.add(id);
    },
    endWatches(failure) {
      ending.abort(failure);
      ending = new AbortController();
      changed.emit("change");
    },
    reset() {
      entries.splice(0, Infinity, ...records.entries);
      undone.clear();
      log.watches = [];
      log.sentCount = 0;
      log.reportsStart = true;
      log.beforeWatch = () => Promise.resolve();
    },
  };
  return log;
}
