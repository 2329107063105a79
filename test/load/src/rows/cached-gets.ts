import type { BenchRecords } from "../catalogue/bench-records.ts";
import type { Contestants } from "../catalogue/start-contestants.ts";
import { startChild } from "../child-process.ts";
import { measureHttp } from "../measure-http.ts";
import type { Row } from "../row.ts";

// Few enough to stay cached, enough that one connection never waits for another's.
const pathCount = 50;

interface CachedGet {
  name: string;
  pathsOf: (records: BenchRecords) => string[];
}

const gets: readonly CachedGet[] = [
  { name: "price", pathsOf: ({ pricedOfferIds }) => soldIn(pricedOfferIds, "/price") },
  { name: "offer", pathsOf: ({ pricedOfferIds }) => soldIn(pricedOfferIds, "") },
  { name: "list of 20", pathsOf: ({ listOfferIds }) => soldIn(listOfferIds, "/collection") },
];

function soldIn(offerIds: readonly string[], suffix: string): string[] {
  return offerIds.slice(0, pathCount).map((id) => `/offers/${id}${suffix}`);
}

/** Row 1: what a cached response costs compared with the minimum of node:http. */
export function cachedGets(contestants: () => Promise<Contestants>): Row[] {
  return gets.map(({ name, pathsOf }) => ({
    number: 1,
    case: `cached GET of ${name}, 32 connections; peer: node:http sending the same bytes`,
    goal: 0.8,
    async measure(report, settings) {
      const { records, cachedUrl } = await contestants();
      const paths = pathsOf(records);
      const { child, first } = await startChild("../peers/fixed-bytes-server.ts", [
        cachedUrl,
        ...paths,
      ]);
      const { port } = first as { port: number };
      try {
        const peerUrl = `http://127.0.0.1:${port}`;
        return await measureHttp({ ourUrl: cachedUrl, peerUrl, paths }, settings, report);
      } finally {
        await child.stop();
      }
    },
  }));
}
