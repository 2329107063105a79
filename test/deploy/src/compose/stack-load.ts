import { z } from "zod";
import { repeat, together } from "../load/background.ts";
import type { ComposeStack } from "./compose-stack.ts";

/** Requests that did not get 200, counted by operation and status, such as `search 503`. */
export type Failures = Map<string, number>;

/** Readers of the gateway and a writer over HTTP. */
export interface StackLoad {
  /** Resets the failures. @returns those since the call before. */
  takeFailures(): Failures;
  /** How many reads got 200. */
  readonly reads: number;
  /** Ids of the offers that ingest has accepted. */
  readonly accepted: readonly string[];
  stop(): Promise<void>;
}

/** The operations, each with a reader of its own. */
export const readerNames = ["offer", "reviews", "prices", "changes", "search"] as const;

/** Sandbox of the offers that the load writes. */
export const written = "written-by-the-drill";

// Longer than the gateway's timeout of a request, see stand-ins.yaml.
const readTimeoutMs = 40_000;
// An upload waits for an unavailable service.
const writeTimeoutMs = 180_000;
const pauseMs = 300;

const zLastLine = z.object({
  summary: z.object({ kinds: z.object({ offer: z.object({ written: z.number() }) }) }),
});

/** Reads from every service, and writes one offer after the other. */
export function startStackLoad(stack: ComposeStack, offerIds: readonly string[]): StackLoad {
  let failures: Failures = new Map();
  let reads = 0;
  const accepted: string[] = [];
  const fail = (what: string) => failures.set(what, (failures.get(what) ?? 0) + 1);

  const reader = (
    operation: (typeof readerNames)[number],
    requestOf: (round: number) => [string, object?],
  ) =>
    repeat(pauseMs, async (round) => {
      const [path, body] = requestOf(round);
      const status = await statusOf(`${stack.gatewayUrl}${path}`, body);
      if (status === 200) reads += 1;
      else fail(`${operation} ${status}`);
    });
  const offerOf = (round: number) => offerIds[round % offerIds.length] ?? "";
  const pageOf = (round: number) => 1 + (round % 20);
  const readers = together([
    reader("offer", (round) => [`/offers/${offerOf(round)}`]),
    reader("reviews", (round) => [`/offers/${offerOf(round)}/reviews`]),
    reader("prices", (round) => [`/offers/${offerOf(round)}/price-history?country=US`]),
    reader("changes", (round) => [`/changelist?limit=5&page=${pageOf(round)}`]),
    reader("search", (round) => ["/search/v2/search", { limit: 5, page: pageOf(round) }]),
  ]);
  const writer = repeat(pauseMs, async (round) => {
    const id = `${written}-${round}`;
    if (await upload(stack, id)) accepted.push(id);
  });
  return {
    takeFailures() {
      const taken = failures;
      failures = new Map();
      return taken;
    },
    get reads() {
      return reads;
    },
    accepted,
    async stop() {
      await together([readers, writer]).stop();
    },
  };
}

async function statusOf(url: string, body?: object): Promise<number | "no response"> {
  try {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(readTimeoutMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return "no response";
  }
}

/** Sends an offer to ingest. @returns whether its summary says that it is written. */
async function upload(stack: ComposeStack, id: string): Promise<boolean> {
  const observedAt = new Date().toISOString();
  const record = { id, namespace: written, title: `Drilled ${id}` };
  try {
    const response = await fetch(`${stack.ingestUrl}/ingest`, {
      method: "POST",
      headers: { authorization: `Bearer ${stack.secret("ingest_http_token")}` },
      body: `${JSON.stringify({ kind: "offer", op: "upsert", observedAt, record })}\n`,
      signal: AbortSignal.timeout(writeTimeoutMs),
    });
    const last = (await response.text()).trim().split("\n").at(-1) ?? "";
    const { success, data } = zLastLine.safeParse(JSON.parse(last));
    return success && data.summary.kinds.offer.written === 1;
  } catch {
    // Ingest was killed meanwhile: the offer is not accepted.
    return false;
  }
}
