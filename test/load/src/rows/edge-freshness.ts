import { freshnessOf, freshnessRow } from "../freshness-row.ts";
import { isHot, readHotOffers, writeHotOffers, writeHotPrices } from "../purge/hot-offers.ts";
import { edgeEnvironment, startEdge } from "../purge/start-edge.ts";

const perSecond = 200;
const writes = 40 * perSecond;

/** How long after its commit a price is at a Varnish that had the one before cached, purged by `storefront purge`. */
export const edgeFreshness = freshnessRow({
  number: 29,
  case: "1 / p99 of the seconds from commit to the purged edge's fresh response at 200 writes/s; peer: the limit, 1 s",
  limitMs: 1000,
  env: edgeEnvironment,
  async measure(started) {
    const edge = await startEdge(started);
    const purge = edge.startPurge();
    try {
      await purge.begun;
      await writeHotOffers(started);
      const committedAtMs: number[] = [];
      const seenAtMs: number[] = [];
      const ending = new AbortController();
      const reading = readHotOffers(edge.url, ending.signal, ({ number, cameAtMs }) => {
        seenAtMs[number] ??= cameAtMs;
      });
      const onCommitted = () => committedAtMs.push(performance.now());
      await writeHotPrices(started, { writes, perSecond }, onCommitted);
      const wanted = committedAtMs.map((_, number) => number).filter((number) => isHot(number));
      ending.abort();
      await reading;
      const seen = wanted.filter((number) => seenAtMs[number] !== undefined);
      return freshnessOf(
        seen.map((number) => committedAtMs[number] ?? 0),
        seen.map((number) => seenAtMs[number] ?? 0),
      );
    } finally {
      await purge.stop();
      await edge.stop();
    }
  },
});
