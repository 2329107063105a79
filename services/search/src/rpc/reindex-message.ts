import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  ReindexJobSchema,
  ReindexPhase,
} from "@storefront/contracts/search/v1/search_index_service";
import type { ReindexJob as JobMessage } from "@storefront/contracts/search/v1/search_index_service";
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

/** A stored reindex as clients are told of it. */
export function reindexMessage(job: ReindexJob): JobMessage {
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
