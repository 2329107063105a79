import { expect, it } from "vitest";
import type { ReindexStatus } from "../reindex/run-reindex.ts";
import { judgeReindex } from "./check-services.ts";

const now = new Date("2026-01-01T12:00:00Z");
const building: ReindexStatus = {
  number: 3,
  phase: "building",
  indexed: 120_000,
  total: 500_000,
  startedBy: "ann at desk",
  startedAt: "2026-01-01T11:50:00.000Z",
  progressedAt: "2026-01-01T11:59:59.000Z",
  endedAt: undefined,
  holder: "search-1/1/abc",
  error: "",
};
const endedAt = "2026-01-01T11:59:59.000Z";

it.each<[string, ReindexStatus | undefined, boolean]>([
  ["none has run", undefined, true],
  ["it progresses", building, true],
  [
    "it has made no progress for long",
    { ...building, progressedAt: building.startedAt?.replace("50", "40") },
    false,
  ],
  ["it fails and is retried", { ...building, error: "no room" }, false],
  ["it is done", { ...building, phase: "done", endedAt }, true],
  ["it was cancelled", { ...building, phase: "cancelled", endedAt }, true],
  ["it was abandoned", { ...building, phase: "failed", endedAt, error: "no room" }, false],
])("reports whether a reindex is healthy when %s: %3$s", (_, status, isWell) => {
  expect(judgeReindex(status, now).problem === undefined).toBe(isWell);
});

it("reports its progress, start, starter and process", () => {
  expect(judgeReindex(building, now).finding).toBe(
    "Reindex 3: building, 120,000 of 500,000 records, started 2026-01-01T11:50:00.000Z by ann at desk, last progress 2026-01-01T11:59:59.000Z, on search-1/1/abc.",
  );
});
