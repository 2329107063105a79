import { z } from "zod";
import { clusterAddress } from "../load/cluster-address.ts";

const zChange = z.object({ field: z.string(), newValue: z.unknown() });
const zEntry = z.object({ _id: z.string(), metadata: z.object({ changes: z.array(zChange) }) });
const zEntries = z.array(zEntry);

/** An entry of the change log. */
export type LogEntry = z.output<typeof zEntry>;

const pageSize = 50;

/** Where the gateway is. */
interface Gateway {
  host: string;
  port: number;
}

/** Id of the newest entry. */
export async function newestEntry(gateway: Gateway): Promise<string> {
  const [newest] = await list(gateway, `limit=1`);
  if (newest === undefined) throw new Error("the change log is empty");
  const { _id: id } = newest;
  return id;
}

/** All entries that follow one, in the order of the log. */
export async function entriesAfter(gateway: Gateway, entryId: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (;;) {
    const { _id: after } = entries.at(-1) ?? { _id: entryId };
    const page = await list(gateway, `after=${after}&limit=${pageSize}`);
    entries.push(...page);
    if (page.length === 0) return entries;
  }
}

/** Titles that entries say an offer got. */
export function titlesOf(entries: readonly LogEntry[]): Set<unknown> {
  const changes = entries.flatMap(({ metadata }) => metadata.changes);
  return new Set(changes.filter(({ field }) => field === "title").map(({ newValue }) => newValue));
}

async function list({ host, port }: Gateway, query: string): Promise<LogEntry[]> {
  const response = await fetch(`http://${clusterAddress(host)}:${port}/changelist?${query}`);
  if (response.status !== 200) throw new Error(`/changelist: ${response.status}`);
  return zEntries.parse(await response.json());
}
