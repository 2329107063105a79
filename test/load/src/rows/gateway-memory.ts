import type { Contestants } from "../catalogue/start-contestants.ts";
import { startHttpLoad } from "../http-load.ts";
import { median } from "../median.ts";
import { residentMebibytes } from "../resident-mebibytes.ts";
import { rounded } from "../row.ts";
import type { Row } from "../row.ts";

const connections = 32;
const minutes = 10;
const roundSeconds = 5;
// Samples that stand for a moment: garbage collection makes each of them jump.
const samplesPerMoment = 6;
const countries = ["US", "DE", "JP", "BR"];

/**
 * Row 10: whether the gateway's memory grows. Every kind of read, in more variants than one client
 * would ask for, through a gateway with its defaults.
 */
export function gatewayMemory(contestants: () => Promise<Contestants>): Row {
  return {
    number: 10,
    case: `MiB of the gateway after ${minutes} minutes at full load; peer: after 1 minute`,
    goal: 1.2,
    goalIs: "at most",
    async measure(report) {
      const all = await contestants();
      const { records } = all;
      const gateway = await all.startGateway();
      const paths = countries.flatMap((country) => [
        ...records.pricedOfferIds.map((id) => `/offers/${id}?country=${country}`),
        ...records.listOfferIds.map((id) => `/offers/${id}/collection?country=${country}`),
      ]);
      const load = await startHttpLoad({ url: gateway.url, paths, connections, roundSeconds });
      try {
        const samples: number[] = [];
        for (let second = roundSeconds; second <= minutes * 60; second += roundSeconds) {
          const { perSecond } = await load.round();
          samples.push(await residentMebibytes(gateway.pid));
          if (second % 60 === 0) {
            const mebibytes = samples.at(-1)?.toFixed(0);
            report(`minute ${second / 60}: ${mebibytes} MiB at ${perSecond.toFixed(0)}/s`);
          }
        }
        const firstMinute = samples.slice(0, 60 / roundSeconds);
        const early = median(firstMinute.slice(-samplesPerMoment));
        const late = median(samples.slice(-samplesPerMoment));
        return { ours: late, peer: early, ratio: rounded(late / early) };
      } finally {
        await load.stop();
        await gateway.stop();
      }
    },
  };
}
