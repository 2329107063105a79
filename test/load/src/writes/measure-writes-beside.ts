import { readMetrics, sumOf } from "@storefront/testkit";
import { startGatewayProcess } from "../catalogue/start-gateway-process.ts";
import { startHttpLoad } from "../http-load.ts";
import { measureInTurn } from "../measure-in-turn.ts";
import type { Side } from "../measure-in-turn.ts";
import { writeOffers } from "../outage/write-priced-offers.ts";
import { writeOffersPaced } from "../write-offers-paced.ts";
import { startPostgresStack } from "../postgres-stack.ts";
import type { PostgresStack } from "../postgres-stack.ts";
import { processorSeconds } from "../processor-time.ts";
import type { Measurement, RowSettings } from "../row.ts";
import { startImport } from "./import-beside.ts";

export const connections = 32;
export const writesPerSecond = 200;

const cachedIds = Array.from({ length: 25 }, (_none, index) => `kept-${index}`);
const paths = cachedIds.flatMap((id) => [`/offers/${id}`, `/offers/${id}/overview`]);
/** Rounds are shorter and more numerous than those of other rows, since each has writes of its own. */
const roundSeconds = 2;
const timesRounds = 3;

/** Cached responses of a gateway whose stack gets writes, compared with one whose stack gets none. */
export interface WritesBeside {
  /** Responses per second of the gateway's processor time. */
  responses: Measurement;
  /** Calls of the first gateway to services per second; without its feeds, which are streams. */
  upstreamCallsPerSecond: number;
  /** Distinct responses that are requested; the writes touch none of them. */
  keys: number;
}

/**
 * Measures both in turn, during the same writes and the same import, all of them to the first one.
 * Responses are counted per processor time of their gateway, which includes following the writes: on a
 * shared machine, how much time a gateway gets says nothing about its cache.
 */
export async function measureWritesBeside(
  report: (progress: string) => void,
  { rounds }: RowSettings,
): Promise<WritesBeside> {
  const stops: (() => Promise<unknown>)[] = [];
  async function start() {
    const started = await startPostgresStack();
    stops.push(() => started.stop());
    await writeOffers(started, cachedIds, "list");
    const gateway = await startGatewayProcess(started.stack.services, {});
    stops.push(() => gateway.stop());
    const load = await startHttpLoad({ url: gateway.url, paths, connections, roundSeconds });
    stops.push(() => load.stop());
    const round: Side = async () => {
      const beforeSeconds = await processorSeconds(gateway.pid);
      const { perSecond, p99Ms } = await load.round();
      const seconds = (await processorSeconds(gateway.pid)) - beforeSeconds;
      return { perSecond: (perSecond * roundSeconds) / seconds, p99Ms };
    };
    return { started, gateway, round };
  }
  try {
    const written = await start();
    const unwritten = await start();
    const besideWrites = writerTo(written.started);
    let calls = 0;
    let measuredRounds = 0;
    const ours: Side = async () => {
      const before = await callsOf(written.gateway.metricsUrl);
      const round = await besideWrites(written.round);
      calls += (await callsOf(written.gateway.metricsUrl)) - before;
      measuredRounds += 1;
      return round;
    };
    const peer: Side = () => besideWrites(unwritten.round);
    const startedAtMs = performance.now();
    const importing = startImport(written.started.stack);
    stops.push(() => importing.stop());
    const responses = await measureInTurn(ours, peer, rounds * timesRounds, report);
    const importedPerSecond = ((await importing.stop()) * 1000) / (performance.now() - startedAtMs);
    report(`${importedPerSecond.toFixed(0)} imported lines/s beside both`);
    const upstreamCallsPerSecond = calls / (measuredRounds * roundSeconds);
    return { responses, upstreamCallsPerSecond, keys: paths.length };
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
    const [round] = await Promise.all([load(), writeOffersPaced(started, paced, () => undefined)]);
    return round;
  };
}

async function callsOf(metricsUrl: string): Promise<number> {
  return sumOf(await readMetrics(metricsUrl), "rpc_client_call_duration_seconds_count");
}
