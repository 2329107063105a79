import { readMetrics, sumOf } from "@storefront/testkit";
import { startGatewayProcess } from "../catalogue/start-gateway-process.ts";
import { startHttpLoad } from "../http-load.ts";
import { measureInTurn } from "../measure-in-turn.ts";
import type { Side } from "../measure-in-turn.ts";
import { writeOffers } from "../outage/write-priced-offers.ts";
import { writePaced } from "../paced-writes.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import type { Measurement, RowSettings } from "../row.ts";

export const connections = 32;
export const writesPerSecond = 200;

const keptIds = Array.from({ length: 25 }, (_none, index) => `kept-${index}`);
const paths = keptIds.flatMap((id) => [`/offers/${id}`, `/offers/${id}/overview`]);
/** Rounds are shorter than those of other rows and more, since each has writes of its own. */
const roundSeconds = 2;
const timesRounds = 3;

/** Kept answers of a gateway whose stack is written to, beside those of one whose is not. */
export interface WritesBeside {
  answers: Measurement;
  /** Calls to services of the first one, a second; without its feeds, which are streams. */
  upstreamCallsPerSecond: number;
  /** Distinct answers that are asked for; the writes touch none of them. */
  keys: number;
}

/**
 * Measures both in turn. The same writes go on either way, so that both have as little of the machine
 * beside them.
 */
export async function measureWritesBeside(
  report: (progress: string) => void,
  { rounds }: RowSettings,
): Promise<WritesBeside> {
  const stops: (() => Promise<unknown>)[] = [];
  async function start() {
    const started = await startPostgresStack();
    stops.push(() => started.stop());
    await writeOffers(started, keptIds, "list");
    const gateway = await startGatewayProcess(started.stack.services, {});
    stops.push(() => gateway.stop());
    const load = await startHttpLoad({ url: gateway.url, paths, connections, roundSeconds });
    stops.push(() => load.stop());
    return { started, gateway, load };
  }
  try {
    const written = await start();
    const unwritten = await start();
    const besideWrites = writerTo(written.started);
    let calls = 0;
    let measuredRounds = 0;
    const ours: Side = async () => {
      const before = await callsOf(written.gateway.metricsUrl);
      const round = await besideWrites(written.load.round);
      calls += (await callsOf(written.gateway.metricsUrl)) - before;
      measuredRounds += 1;
      return round;
    };
    const peer: Side = () => besideWrites(unwritten.load.round);
    const answers = await measureInTurn(ours, peer, rounds * timesRounds, report);
    const upstreamCallsPerSecond = calls / (measuredRounds * roundSeconds);
    return { answers, upstreamCallsPerSecond, keys: paths.length };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

function writerTo(started: PostgresStack) {
  const writes = roundSeconds * writesPerSecond;
  let firstIndex = 0;
  return async (load: Side) => {
    const paced = { writes, perSecond: writesPerSecond, firstIndex };
    firstIndex += writes;
    const [round] = await Promise.all([load(), writePaced(started, paced, () => undefined)]);
    return round;
  };
}

async function callsOf(metricsUrl: string): Promise<number> {
  return sumOf(await readMetrics(metricsUrl), "rpc_client_call_duration_seconds_count");
}
