import { toBinary } from "@bufbuild/protobuf";
import {
  ChangelogObservationSchema,
  EntryRecordSchema,
  EntrySubjectSchema,
  ExportChangelogResponseSchema,
} from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { batchesOf } from "@storefront/ingest";
import { EncodedWriter } from "@storefront/rpc";
import type { ExportStore } from "../store/export-store.ts";
import type { ChangelogIngestHandlers } from "./handlers.ts";

const observationFields = ChangelogObservationSchema.field;
const keyField = EntryRecordSchema.field.key.number;

export function exportChangelog(deps: {
  exports: ExportStore;
  /** Resolves when everything is stored that the catalog has logged up to now. */
  untilCaughtUp: (signal: AbortSignal) => Promise<void>;
}): ChangelogIngestHandlers["exportChangelog"] {
  return async function* give(_, { signal }) {
    await deps.untilCaughtUp(signal);
    yield* batchesOf(ExportChangelogResponseSchema, everything(deps.exports));
  };
}

async function* everything(exports: ExportStore): AsyncGenerator<Uint8Array> {
  for await (const subject of exports.subjects()) {
    const bytes = toBinary(EntrySubjectSchema, subject);
    yield restored(observationFields.entrySubject.number, bytes);
  }
  for await (const { entry, key } of exports.entries()) {
    // An EntryRecord begins as an Entry does.
    const record = new EncodedWriter()
      .raw(entry)
      .messages(
        keyField,
        key.map((part) => Buffer.from(part, "utf8")),
      )
      .finish();
    yield restored(observationFields.entry.number, record);
  }
}

function restored(field: number, record: Uint8Array): Uint8Array {
  return new EncodedWriter()
    .varint(observationFields.operation.number, ObservationOperation.RESTORE)
    .message(field, record)
    .finish();
}
