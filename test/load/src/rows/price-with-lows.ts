import type { Contestants } from "../catalogue/start-contestants.ts";
import { startHttpLoad } from "../http-load.ts";
import { measureInTurn } from "../measure-in-turn.ts";
import type { Row } from "../row.ts";

const connections = 32;

/** Row 24: what the lows of a price cost beside the price. */
export function priceWithLows(contestants: () => Promise<Contestants>): Row {
  return {
    number: 24,
    // At most 1.2 times the cost.
    goal: 0.83,
    case: "uncached GET of a price with its lows, 32 connections; peer: the price without",
    async measure(report, { roundSeconds, rounds }) {
      const { records, uncachedUrl: url } = await contestants();
      const paths = records.pricedOfferIds.map((id) => `/offers/${id}/price`);
      const start = (asked: readonly string[]) =>
        startHttpLoad({ url, paths: asked, connections, roundSeconds });
      const withLows = await start(paths.map((path) => `${path}?lows=true`));
      const without = await start(paths);
      try {
        return await measureInTurn(withLows.round, without.round, rounds, report);
      } finally {
        await Promise.all([withLows.stop(), without.stop()]);
      }
    },
  };
}
