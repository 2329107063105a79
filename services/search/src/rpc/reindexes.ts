import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { RebuildIndex } from "@storefront/change-feed";
import {
  ReindexJobSchema,
  ReindexPhase,
} from "@storefront/contracts/search/v1/search_index_service";
import type {
  ReindexJob as JobMessage,
  SearchIndexService,
} from "@storefront/contracts/search/v1/search_index_service";
import type { ReindexControl } from "../indexing/reindex-control.ts";
import type { ReindexJob } from "../store/reindex-job-store.ts";

const phases: Readonly<Record<ReindexJob["phase"], ReindexPhase>> = {
  learning: ReindexPhase.LEARNING,
  offers: ReindexPhase.BUILDING,
  entries: ReindexPhase.BUILDING,
  queueing: ReindexPhase.EMBEDDING,
  embedding: ReindexPhase.EMBEDDING,
  finishing: ReindexPhase.FINISHING,
  activating: ReindexPhase.CATCHING_UP,
  done: ReindexPhase.DONE,
  cancelled: ReindexPhase.CANCELLED,
  failed: ReindexPhase.FAILED,
};

export function reindexHandlers(deps: { reindexes: ReindexControl }) {
  return {
    async *reindex({ startedBy }, { signal }) {
      for await (const job of deps.reindexes.run(startedBy || "a call", signal)) {
        const message = reindexMessage(job);
        yield { phase: message.phase, indexedCount: message.indexedCount, job: message };
      }
    },

    async describeReindex() {
      const job = await deps.reindexes.describe();
      return job === undefined ? {} : { job: reindexMessage(job) };
    },

    async cancelReindex() {
      const job = await deps.reindexes.cancel();
      return job === undefined ? {} : { job: reindexMessage(job) };
    },
  } satisfies ServiceImpl<typeof SearchIndexService>;
}

/** Builds an index of this process's configuration, beside the live one. */
export function rebuildIndex(deps: { reindexes: ReindexControl }): RebuildIndex {
  return async function* progress(signal) {
    for await (const { written } of deps.reindexes.run("a rebuild", signal)) yield written;
  };
}

function reindexMessage(job: ReindexJob): JobMessage {
  return create(ReindexJobSchema, {
    number: BigInt(job.number),
    phase: phases[job.phase],
    indexedCount: BigInt(job.written),
    totalCount: BigInt(job.total),
    startedBy: job.startedBy,
    startedAt: timestampFromDate(job.startedAt),
    progressedAt: timestampFromDate(job.progressedAt),
    ...(job.endedAt !== undefined && { endedAt: timestampFromDate(job.endedAt) }),
    holder: job.holder ?? "",
    error: job.error ?? "",
  });
}
