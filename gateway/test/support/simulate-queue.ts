import { notFound } from "../../src/errors/public-error.ts";
import { AdaptiveLimit } from "../../src/upstream/adaptive-limit.ts";
import { isFailure } from "../../src/upstream/admission.ts";

/** Work that arrives at random, as from many independent clients. */
export interface Arrivals {
  operation?: string;
  cost: number;
  perSecond: number;
  /** Mean; each takes from nothing to twice as long. */
  serviceMs: number;
  /** Share that ends as not found; default none. */
  missingShare?: number;
}

/** The result of a phase. */
export interface PhaseResult {
  /** Work done per second. */
  donePerSecond: number;
  p99Ms: number;
  refused: number;
  /** The limit at the end. */
  limit: number;
}

interface Job {
  startedAtMs: number;
  serviceMs: number;
  cost: number;
  operation: string;
  isMissing: boolean;
}

/** Servers that take work in the order of arrival, behind a limit, on a clock of their own. */
export function simulateQueue({ servers, costMax }: { servers: number; costMax: number }) {
  let nowMs = 0;
  let seed = 1;
  let costInFlight = 0;
  const limit = new AdaptiveLimit(costMax, nowMs);
  const waiting: Job[] = [];
  const busy: { endsAtMs: number; job: Job }[] = [];

  // Park and Miller's minimal standard generator.
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

  function startNext(): void {
    while (busy.length < servers) {
      const job = waiting.shift();
      if (job === undefined) return;
      busy.push({ endsAtMs: nowMs + job.serviceMs, job });
      busy.sort((a, b) => a.endsAtMs - b.endsAtMs);
    }
  }

  /** Lets work arrive for a number of seconds. */
  return function run(seconds: number, ...arrivals: readonly Arrivals[]): PhaseResult {
    const endsAtMs = nowMs + seconds * 1000;
    const durationsMs: number[] = [];
    let refused = 0;
    const gapMs = ({ perSecond }: Arrivals) => (-Math.log(random()) * 1000) / perSecond;
    const next = arrivals.map((each) => nowMs + gapMs(each));
    for (;;) {
      const arrivesAtMs = Math.min(...next);
      const ending = busy[0];
      nowMs = Math.min(arrivesAtMs, ending?.endsAtMs ?? endsAtMs, endsAtMs);
      if (nowMs === endsAtMs) break;
      if (ending?.endsAtMs === nowMs) {
        const { job } = ending;
        busy.shift();
        costInFlight -= job.cost;
        const hasFailed = job.isMissing && isFailure(notFound("Not found"));
        limit.ended(job.operation, nowMs - job.startedAtMs, hasFailed);
        durationsMs.push(nowMs - job.startedAtMs);
        startNext();
        continue;
      }
      const index = next.indexOf(arrivesAtMs);
      const arriving = arrivals[index];
      if (arriving === undefined) continue;
      next[index] = nowMs + gapMs(arriving);
      limit.update(nowMs);
      const { cost, operation = "search" } = arriving;
      if (costInFlight > 0 && costInFlight + cost > limit.limit) {
        limit.refused();
        refused += 1;
        continue;
      }
      costInFlight += cost;
      limit.begun();
      const serviceMs = 2 * random() * arriving.serviceMs;
      const { missingShare = 0 } = arriving;
      const isMissing = missingShare > 0 && random() < missingShare;
      waiting.push({ startedAtMs: nowMs, serviceMs, cost, operation, isMissing });
      startNext();
    }
    limit.update(nowMs);
    durationsMs.sort((a, b) => a - b);
    return {
      donePerSecond: durationsMs.length / seconds,
      p99Ms: durationsMs[Math.floor(durationsMs.length * 0.99)] ?? 0,
      refused,
      limit: limit.limit,
    };
  };
}
