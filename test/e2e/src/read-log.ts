import { toJson } from "@bufbuild/protobuf";
import { timestampDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Change } from "@storefront/contracts/type/v1/change";
import { createTransport } from "@storefront/rpc";
import type { TestStack } from "@storefront/testkit";
import { setTimeout } from "node:timers/promises";
import { known } from "./model/known.ts";

/** An entry as it was read, in the form of the model. */
export interface ReadEntry {
  id: string;
  contextType: string;
  contextId: string;
  timestamp: string;
  changes: object[];
}

const changeTypes = new Map<ChangeType, string>([
  [ChangeType.INSERT, "insert"],
  [ChangeType.UPDATE, "update"],
  [ChangeType.DELETE, "delete"],
]);

/**
 * Time without a new entry after which the changelog has stopped, in milliseconds. All entries may take minutes:
 * within one process it mostly waits until an import has ended, and beside the search it applies about
 * 400 entries a second on PGlite, fewer on a busy machine.
 */
const stoppedAfterMs = 30_000;

/** During an import, PGlite's only connection may be busy for longer than the default timeout of calls. */
const patience = { timeoutMs: stoppedAfterMs };

/** Poll interval of its number of entries, in milliseconds. */
const intervalMs = 50;

/** Reads the whole log of a stack by gRPC, once it has the expected number of entries. */
export async function readLog(
  stack: Pick<TestStack, "services">,
  expectedCount: number,
): Promise<ReadEntry[]> {
  const transport = createTransport({ baseUrl: stack.services["changelog"]?.url ?? "" });
  try {
    const client = createClient(ChangelogService, transport);
    const total = await totalWhenCaughtUp(client, expectedCount);
    const { entries } = await client.listEntriesSince({ pageSize: 1 }, patience);
    const first = entries[0];
    const stop = new AbortController();
    const options = { timeoutMs: 0, signal: stop.signal };
    if (first !== undefined && total > 1) {
      for await (const batch of client.watchEntries({ afterEntryId: first.id }, options)) {
        entries.push(...batch.entries);
        if (entries.length >= total) break;
      }
    }
    stop.abort();
    return entries.map(readEntry);
  } finally {
    await transport.close();
  }
}

async function totalWhenCaughtUp(
  client: Client<typeof ChangelogService>,
  expectedCount: number,
): Promise<number> {
  let grown = { total: -1, atMs: 0 };
  for (;;) {
    const { totalSize } = await client.listEntries({ pageSize: 1 }, patience);
    const total = Number(totalSize);
    if (total > grown.total) grown = { total, atMs: performance.now() };
    // The caller's comparison finds missing entries.
    if (total >= expectedCount || performance.now() > grown.atMs + stoppedAfterMs) return total;
    await setTimeout(intervalMs);
  }
}

function readEntry({ id, contextType, contextId, timestamp, changes }: Entry): ReadEntry {
  const time = timestamp === undefined ? "" : timestampDate(timestamp).toISOString();
  return { id, contextType, contextId, timestamp: time, changes: changes.map(readChange) };
}

function readChange({ changeType, type, field, oldValue, newValue }: Change): object {
  return {
    changeType: changeTypes.get(changeType),
    type,
    field,
    ...(oldValue === undefined ? {} : { oldValue: readValue(field, oldValue) }),
    ...(newValue === undefined ? {} : { newValue: readValue(field, newValue) }),
  };
}

function readValue(field: string, value: Value): unknown {
  return known(toJson(ValueSchema, value), field);
}
