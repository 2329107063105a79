import { median } from "./median.ts";
import { rounded } from "./row.ts";
import type { Measurement } from "./row.ts";

/** The result of one side in one round. */
export interface RoundResult {
  perSecond: number;
  p99Ms: number;
}

/** One side of a pair; `round` loads it for a fixed time. */
export type Side = () => Promise<RoundResult>;

/** Warms both sides up, then measures them in turn, so that a noisy moment hits both. */
export async function measureInTurn(
  ours: Side,
  peer: Side,
  rounds: number,
  report: (progress: string) => void,
): Promise<Measurement> {
  await ours();
  await peer();
  const ourRounds: RoundResult[] = [];
  const peerRounds: RoundResult[] = [];
  for (let round = 1; round <= rounds; round++) {
    ourRounds.push(await ours());
    peerRounds.push(await peer());
    const last = (results: RoundResult[]): string => results.at(-1)?.perSecond.toFixed(0) ?? "";
    report(`round ${round}/${rounds}: ours ${last(ourRounds)}/s, peer ${last(peerRounds)}/s`);
  }
  const oursPerSecond = median(ourRounds.map(({ perSecond }) => perSecond));
  const peerPerSecond = median(peerRounds.map(({ perSecond }) => perSecond));
  const ourP99 = median(ourRounds.map(({ p99Ms }) => p99Ms));
  const peerP99 = median(peerRounds.map(({ p99Ms }) => p99Ms));
  return {
    ours: rounded(oursPerSecond),
    peer: rounded(peerPerSecond),
    ratio: rounded(oursPerSecond / peerPerSecond),
    p99Ratio: rounded(ourP99 / peerP99),
  };
}
