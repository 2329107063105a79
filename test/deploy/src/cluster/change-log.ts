import { z } from "zod";
import { clusterAddress } from "../load/cluster-address.ts";

const zEntries = z.array(z.object({ _id: z.string() }));
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
  return newest;
}

/** Ids of all entries that follow one, in the order of the log. */
export async function entriesAfter(gateway: Gateway, entryId: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const page = await list(gateway, `after=${ids.at(-1) ?? entryId}&limit=${pageSize}`);
    ids.push(...page);
    if (page.length === 0) return ids;
  }
}

async function list({ host, port }: Gateway, query: string): Promise<string[]> {
  const response = await fetch(`http://${clusterAddress(host)}:${port}/changelist?${query}`);
  if (response.status !== 200) throw new Error(`/changelist: ${response.status}`);
  return zEntries.parse(await response.json()).map(({ _id }) => _id);
}
