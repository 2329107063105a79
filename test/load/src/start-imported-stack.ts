import { makeTemporaryDirectory } from "@storefront/testkit";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresStack } from "./postgres-stack.ts";
import type { PostgresStack } from "./postgres-stack.ts";

/** A stack that has imported and indexed a file. */
export interface ImportedStack<Records> extends PostgresStack {
  records: Records;
}

interface ImportedStackOptions<Records> {
  /** Writes the file to import. */
  write: (file: string) => Promise<Records>;
  /** A search and its total once all is indexed; until then indexing would distort the measurement. */
  indexed: (records: Records) => { search: object; total: number };
  /** Creates the peers' tables on the same server, when all is indexed. */
  fillPeer: (databaseUrl: string, records: Records) => Promise<void>;
}

const indexTimeoutMs = 600_000;
const indexPollMs = 250;

/** Starts the stack, imports, waits for the index and creates the peers' tables. */
export async function startImportedStack<Records>({
  write,
  indexed,
  fillPeer,
}: ImportedStackOptions<Records>): Promise<ImportedStack<Records>> {
  const directory = await makeTemporaryDirectory();
  try {
    const file = directory.file("catalogue.ndjson");
    const records = await write(file);
    const started = await startPostgresStack({}, ["--empty", "--import", file]);
    try {
      const { search, total } = indexed(records);
      await untilFound(started.stack.gatewayUrl, search, total);
      await fillPeer(started.databaseUrl, records);
      return { ...started, records };
    } catch (error) {
      await started.stop();
      throw error;
    }
  } finally {
    await directory.remove();
  }
}

async function untilFound(gatewayUrl: string, search: object, wanted: number): Promise<void> {
  const deadlineAtMs = performance.now() + indexTimeoutMs;
  for (;;) {
    const response = await fetch(`${gatewayUrl}/search/v2/search?country=US`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(search),
    });
    const { total } = (await response.json()) as { total?: number };
    if (total === wanted) return;
    if (performance.now() > deadlineAtMs) throw new Error(`${total} of ${wanted} are indexed.`);
    await sleep(indexPollMs);
  }
}
