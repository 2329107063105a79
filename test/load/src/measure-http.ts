import { checkSameAnswers } from "./check-same-answers.ts";
import { startHttpLoad } from "./http-load.ts";
import type { HttpLoad } from "./http-load.ts";
import { measureInTurn } from "./measure-in-turn.ts";
import type { Measurement, RowSettings } from "./row.ts";

/** Two servers with the same paths. */
export interface HttpPair {
  ourUrl: string;
  peerUrl: string;
  paths: readonly string[];
}

const connections = 32;
const checkedPaths = 25;

/** Checks that both return the same, then loads them in turn. */
export async function measureHttp(
  { ourUrl, peerUrl, paths }: HttpPair,
  { roundSeconds, rounds }: RowSettings,
  report: (progress: string) => void,
): Promise<Measurement> {
  await checkSameAnswers(ourUrl, peerUrl, paths.slice(0, checkedPaths));
  const loads: HttpLoad[] = [];
  async function start(url: string): Promise<HttpLoad["round"]> {
    const load = await startHttpLoad({ url, paths, connections, roundSeconds });
    loads.push(load);
    return load.round;
  }
  try {
    return await measureInTurn(await start(ourUrl), await start(peerUrl), rounds, report);
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
  }
}
