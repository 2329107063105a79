import { createClient } from "@connectrpc/connect";
import {
  ChangelogIngestService,
  EntrySubjectSchema,
} from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { ChangelogObservation } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { entryKind } from "./entry-kind.ts";
import type { IngestService } from "./ingest-service.ts";
import { kindOf } from "./kind-of.ts";

type RecordCase = ChangelogObservation["record"];

/** Entries, and what they are about, over `ChangelogIngestService`. */
export const changelogIngest: IngestService<RecordCase> = {
  name: "changelog",
  kinds: {
    entrySubject: kindOf(EntrySubjectSchema, (value) => ({ case: "entrySubject", value })),
    entry: entryKind((value) => ({ case: "entry", value })),
  },
  ingest: (transport, batches, options) =>
    createClient(ChangelogIngestService, transport).ingestChangelog(batches, options),
};
