export { createBatchApplier } from "./apply/apply-batch.ts";
export type { Observation } from "./apply/apply-observation.ts";
export { compileKind } from "./apply/compiled-kind.ts";
export { seenAtSql } from "./apply/sightings.ts";
export { forgetHandler } from "./forget-handler.ts";
export { IngestMetrics } from "./ingest-metrics.ts";
export { observedAtFault } from "./validate/limits.ts";
export type { RecordKind, WrittenState } from "./record-kind.ts";
export {
  currentRecords,
  recordsWithPast,
  endOfLog,
  storedDeletions,
  storedRecords,
} from "./stream/stored-records.ts";
export { batchesOf, everythingStored, exportHandler, toBatches } from "./stream/export-batches.ts";
export { ingestHandler, ingestHandlers } from "./stream/ingest-handler.ts";
export type { StoredObservation } from "./stream/stored-records.ts";
export { withServiceErrors } from "./with-service-errors.ts";
