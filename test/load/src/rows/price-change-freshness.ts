import { freshnessOf, freshnessRow } from "../freshness-row.ts";
import { writePricesPaced } from "../write-prices-paced.ts";

const perSecond = 200;
const writes = 20 * perSecond;

/** How long after its commit a change of a price reaches its followers. */
export const priceChangeFreshness = freshnessRow({
  number: 26,
  case: "1 / p99 of the seconds from commit to the event of GET /price-changes/stream at 200 writes/s; peer: the limit, 1 s",
  limitMs: 1000,
  async measure(started) {
    const ending = new AbortController();
    const response = await fetch(`${started.stack.gatewayUrl}/price-changes/stream`, {
      signal: ending.signal,
    });
    const committedAtMs: number[] = [];
    const writing = writePricesPaced(started, { writes, perSecond }, () => {
      committedAtMs.push(performance.now());
    });
    const seenAtMs = await readEvents(response);
    await writing;
    ending.abort();
    return freshnessOf(committedAtMs, seenAtMs);
  },
});

/** When each event arrived, in the order of the log. */
async function readEvents({ body }: Response): Promise<number[]> {
  const seenAtMs: number[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    const nowMs = performance.now();
    for (const line of lines) if (line.startsWith("data: ")) seenAtMs.push(nowMs);
    if (seenAtMs.length >= writes) break;
  }
  return seenAtMs;
}
