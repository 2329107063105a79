import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ReindexPhase } from "@storefront/contracts/search/v1/search_index_service";
import type { ReindexJob } from "@storefront/contracts/search/v1/search_index_service";

/** A reindex as `--json` writes it; times are ISO 8601. */
export interface ReindexStatus {
  readonly number: number;
  readonly phase: string;
  /** Records in the new index, of those that existed at its start. */
  readonly indexed: number;
  readonly total: number;
  readonly startedBy: string;
  readonly startedAt: string | undefined;
  readonly progressedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** Process that works on it; empty when none does. */
  readonly holder: string;
  /** Its last failure; empty without one. */
  readonly error: string;
}

const phases: Readonly<Partial<Record<ReindexPhase, string>>> = {
  [ReindexPhase.LEARNING]: "learning",
  [ReindexPhase.BUILDING]: "building",
  [ReindexPhase.EMBEDDING]: "embedding",
  [ReindexPhase.FINISHING]: "finishing",
  [ReindexPhase.CATCHING_UP]: "changing over",
  [ReindexPhase.DONE]: "done",
  [ReindexPhase.CANCELLED]: "cancelled",
  [ReindexPhase.FAILED]: "failed",
};

export function reindexStatus(job: ReindexJob): ReindexStatus {
  return {
    number: Number(job.number),
    // A newer release may know more.
    phase: phases[job.phase] ?? "unknown",
    indexed: Number(job.indexedCount),
    total: Number(job.totalCount),
    startedBy: job.startedBy,
    startedAt: iso(job.startedAt),
    progressedAt: iso(job.progressedAt),
    endedAt: iso(job.endedAt),
    holder: job.holder,
    error: job.error,
  };
}

/** A status as a sentence. */
export function reindexSentence(status: ReindexStatus): string {
  const { number, phase, indexed, total, startedBy, startedAt, progressedAt, endedAt } = status;
  const records = `${indexed.toLocaleString("en")} of ${total.toLocaleString("en")} records`;
  const started = `started ${startedAt} by ${startedBy}`;
  const state =
    endedAt === undefined
      ? `last progress ${progressedAt}, on ${status.holder || "no process"}`
      : `ended ${endedAt}`;
  const error = status.error === "" ? "" : `: ${status.error}`;
  return `Reindex ${number}: ${phase}, ${records}, ${started}, ${state}${error}.`;
}

function iso(timestamp: Timestamp | undefined): string | undefined {
  return timestamp && timestampDate(timestamp).toISOString();
}
