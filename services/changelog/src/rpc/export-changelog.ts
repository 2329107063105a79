import { toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import type { ServiceImpl, Transport } from "@connectrpc/connect";
import {
  ChangelogObservationSchema,
  EntryRecordSchema,
  EntrySubjectSchema,
  ExportChangelogResponseSchema,
} from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { Queryable } from "@storefront/database";
import { batchesOf } from "@storefront/ingest";
import { EncodedWriter, unavailable } from "@storefront/rpc";
import { setTimeout } from "node:timers/promises";
import { newestSequence } from "../resynchronise/catalog-log.ts";
import { EntryLog } from "../store/entry-log.ts";
import { everySubject } from "../store/subject-store.ts";
import { everyEntry } from "./entry-sources.ts";

/** A catalog without writes sends a heartbeat every few seconds. */
const longestWaitMs = 60_000;
const pollIntervalMs = 100;

const observationFields = ChangelogObservationSchema.field;
const keyField = EntryRecordSchema.field.key.number;

const readCursor = {
  name: "changelog.readCatalogCursor",
  text: "select sequence from changelog.feed_cursor where feed = 'catalog'",
};

export function exportChangelog(deps: {
  database: Queryable;
  catalog: Transport;
}): ServiceImpl<typeof ChangelogIngestService>["exportChangelog"] {
  return async function* give(_, { signal }) {
    await untilCaughtUp(deps.database, deps.catalog, signal);
    yield* batchesOf(ExportChangelogResponseSchema, everything(deps.database));
  };
}

/**
 * Resolves when everything that the catalog has logged so far is stored, by any replica.
 *
 * @throws ServiceError UNAVAILABLE when the catalog is unavailable, or it takes longer than a minute.
 */
async function untilCaughtUp(
  database: Queryable,
  catalog: Transport,
  signal: AbortSignal,
): Promise<void> {
  const client = createClient(FeedService, catalog);
  const wanted = await newestSequence({ client, signal }).catch((error: unknown) => {
    throw unavailable("catalog", error);
  });
  const endsAtMs = performance.now() + longestWaitMs;
  for (;;) {
    const row = await database.readOne<{ sequence: bigint }>(readCursor);
    const applied = row?.sequence ?? 0n;
    if (applied >= wanted) return;
    if (performance.now() > endsAtMs) {
      throw unavailable("catalog", new Error(`applied up to ${applied}, not ${wanted}`));
    }
    await setTimeout(pollIntervalMs, undefined, { signal });
  }
}

async function* everything(database: Queryable): AsyncGenerator<Uint8Array> {
  for await (const subject of everySubject(database)) {
    const bytes = toBinary(EntrySubjectSchema, subject);
    yield restored(observationFields.entrySubject.number, bytes);
  }
  for await (const { entry, subject_key } of everyEntry(new EntryLog(database))) {
    const key = subject_key?.split("\n") ?? [];
    // An EntryRecord begins like an Entry. An identity of one member is the entry's context id.
    const record = new EncodedWriter()
      .raw(entry)
      .messages(
        keyField,
        (key.length === 1 ? [] : key).map((part) => Buffer.from(part, "utf8")),
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
