import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import type { BatchAnswer } from "./ingest-service.ts";
import type { Place } from "./place.ts";
import type { SummaryRecorder } from "./summary.ts";

/** A line on its way to a service. */
export interface SentLine {
  kind: string;
  place: Place;
}

/** Notes what a service answered to the lines of a batch. */
export function settleLines(
  lines: readonly SentLine[],
  answer: BatchAnswer,
  summary: SummaryRecorder,
): void {
  if (answer.outcomes.length !== lines.length) throw new Error("an answer of the wrong length");
  const reasons = new Map(answer.rejections.map(({ index, reason }) => [index, reason]));
  for (const [index, { kind, place }] of lines.entries()) {
    switch (answer.outcomes[index]) {
      case IngestOutcome.WRITTEN:
        summary.settled(kind, "written");
        break;
      case IngestOutcome.UNCHANGED:
        summary.settled(kind, "unchanged");
        break;
      case IngestOutcome.STALE:
        summary.settled(kind, "stale");
        break;
      default:
        summary.rejected(place, reasons.get(index) ?? "the service rejected it", kind);
    }
  }
}
