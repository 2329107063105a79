import type { RowGroup } from "../row.ts";
import { batchOfOffers } from "../rows/batch-of-offers.ts";
import { cachedGets } from "../rows/cached-gets.ts";
import { directGrpcGet } from "../rows/direct-grpc-get.ts";
import { uncachedGets } from "../rows/uncached-gets.ts";
import { startContestants } from "./start-contestants.ts";
import type { Contestants } from "./start-contestants.ts";

/** The rows that share a catalogue, which is created when the first of them is measured. */
export function catalogueRows(): RowGroup {
  let started: Promise<Contestants> | undefined;
  const contestants = (): Promise<Contestants> => {
    started ??= startContestants();
    return started;
  };
  return {
    rows: [
      ...cachedGets(contestants),
      ...uncachedGets(contestants),
      directGrpcGet(contestants),
      ...batchOfOffers(contestants),
    ],
    async stop() {
      await (await started)?.stop();
    },
  };
}
