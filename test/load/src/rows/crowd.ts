import { startGatewayProcess } from "../catalogue/start-gateway-process.ts";
import { startChild } from "../child-process.ts";
import type { EventFollowersOptions } from "../event-followers.ts";
import { writeOffersPaced } from "../write-offers-paced.ts";
import { percentile } from "../percentile.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import { processorSeconds } from "../processor-time.ts";
import { limitRow, rounded } from "../row.ts";
import type { Row } from "../row.ts";

const clients = 1000;
/** How many of them record when each event arrives. */
const lookedAt = 20;
const perSecond = 200;
const writes = 20 * perSecond;
const limitMs = 1000;
const processorPercentMax = 60;

/** The latency and the cost of a thousand followers of the changes. */
interface Crowd {
  p99Ms: number;
  /** Of one core, during the writes. */
  processorPercent: number;
}

/** How soon a crowd that follows the changes gets them, and how much of a core its gateway uses. */
export function crowd(): Row[] {
  let measured: Promise<Crowd> | undefined;
  return [
    {
      number: 16,
      case: `1 / p99 of the seconds from commit to ${clients} clients of one gateway's stream at ${perSecond} writes/s; peer: the limit, 1 s`,
      goal: 1,
      async measure(report) {
        measured ??= measureCrowd(report);
        const { p99Ms } = await measured;
        return { ours: 1000 / p99Ms, peer: 1000 / limitMs, ratio: rounded(limitMs / p99Ms) };
      },
    },
    limitRow({
      number: 16,
      case: `percent of a core that this gateway takes meanwhile; peer: the limit, ${processorPercentMax}`,
      limit: processorPercentMax,
      async measure(report) {
        measured ??= measureCrowd(report);
        return (await measured).processorPercent;
      },
    }),
  ];
}

async function measureCrowd(report: (progress: string) => void): Promise<Crowd> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const started = await startPostgresStack();
    stops.push(() => started.stop());
    // A process of its own, so that its processor time can be measured; all clients have one address.
    const env = { STREAMS_PER_ADDRESS_MAX: String(clients) };
    const gateway = await startGatewayProcess(started.stack.services, env);
    stops.push(() => gateway.stop());
    const { child: followers } = await startChild("./processes/event-followers.ts");
    stops.push(() => followers.stop());
    const port = Number(new URL(gateway.url).port);
    const options: EventFollowersOptions = { port, clients, lookedAt, events: writes };
    await followers.ask({ ...options });
    report(`${clients} clients follow`);

    const committedAtMs: number[] = [];
    const cpuBeforeSeconds = await processorSeconds(gateway.pid);
    const begunAtMs = performance.now();
    await writeOffersPaced(started, { writes, perSecond }, () => {
      committedAtMs.push(performance.timeOrigin + performance.now());
    });
    const arrivals = (await followers.ask("arrivals")) as number[][];
    const seconds = (performance.now() - begunAtMs) / 1000;
    const processorPercent =
      (((await processorSeconds(gateway.pid)) - cpuBeforeSeconds) / seconds) * 100;
    const latenciesMs = arrivals.flatMap((times) =>
      times.map((time, index) => Math.max(0, time - (committedAtMs[index] ?? time))),
    );
    const p99Ms = percentile(latenciesMs, 0.99);
    const medianMs = percentile(latenciesMs, 0.5);
    report(
      `median ${medianMs.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, ${processorPercent.toFixed(0)} % of a core at ${(writes / seconds).toFixed(0)} writes/s`,
    );
    return { p99Ms, processorPercent };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}
