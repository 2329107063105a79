import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { clusterAddress, loadLimitMs } from "./cluster-address.ts";
import type { Tally } from "./tally.ts";

/** A client of `/changelist/stream`. */
export interface EntryFollower {
  /** Ids of the entries that came, in their order. */
  readonly entryIds: readonly string[];
  /** Connections that it has had. */
  readonly connections: number;
  /** Resolves when this entry has come; rejects after a minute. */
  until(entryId: string): Promise<void>;
  stop(): Promise<void>;
}

// What the stream itself asks of its clients.
const retryMs = 1000;
const untilMs = 60_000;

/**
 * Follows the changes as EventSource does: when the stream ends it comes back after a second with the
 * id of the last event that it has. A connection that is refused, a response that is not 200 and a
 * stream that breaks off without its end count as failed.
 *
 * @param after id of the entry after which to begin
 */
export function followEntries(
  { host, port }: { host: string; port: number },
  after: string,
  tally: Tally,
): EntryFollower {
  const entryIds: string[] = [];
  const arrivals = new EventTarget();
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(loadLimitMs)]);
  let connections = 0;

  const follow = async () => {
    const response = await open(host, port, entryIds.at(-1) ?? after, signal);
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    let received = "";
    for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
      received += chunk;
      const lines = received.split("\n");
      received = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("id: ")) continue;
        entryIds.push(line.slice("id: ".length));
        arrivals.dispatchEvent(new Event("entry"));
      }
    }
  };
  const following = (async () => {
    while (!signal.aborted) {
      connections += 1;
      try {
        await follow();
        tally.succeed();
      } catch (error) {
        if (!signal.aborted) tally.fail(String(error));
      }
      // It rejects when the load ends, which the loop's condition sees.
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
    }
  })();

  return {
    entryIds,
    get connections() {
      return connections;
    },
    async until(entryId) {
      const late = AbortSignal.timeout(untilMs);
      while (!entryIds.includes(entryId)) {
        await new Promise<void>((resolve, reject) => {
          arrivals.addEventListener("entry", () => resolve(), { once: true });
          late.addEventListener("abort", () => reject(new Error(`${entryId} did not come`)));
        });
      }
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

function open(
  host: string,
  port: number,
  lastEventId: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: clusterAddress(host),
      port,
      path: "/changelist/stream",
      agent: false,
      headers: { accept: "text/event-stream", "last-event-id": lastEventId },
      signal,
    });
    request.once("response", resolve);
    request.once("error", reject);
    request.end();
  });
}
