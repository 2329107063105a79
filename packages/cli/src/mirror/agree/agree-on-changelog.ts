import { createClient } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import {
  ChangelogIngestService,
  EntrySubjectSchema,
} from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { EntrySubject } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { fromJson } from "@bufbuild/protobuf";
import type { JsonValue } from "@bufbuild/protobuf";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { UserError } from "../../user-error.ts";
import { entryRemoved } from "../changes.ts";
import { snapshotLinesOf } from "../snapshot-file.ts";
import type { AgreeOptions, ExportLine } from "./export-line.ts";
import { copyLines, createLineParser, recordId, LineReader } from "./export-line.ts";

/** Subjects that are compared with the snapshot's records at once: some 10 MiB. */
const subjectsAtOnce = 20_000;

/** Most in a batch of the changelog. */
const batchSubjects = 500;

const subjectKind = "entrySubject";

/**
 * Makes the changelog of a copy agree with an imported snapshot. The copy's catalog cannot know the last position of a
 * record that moved and was deleted while the mirror was stopped: there the origin's position counts.
 *
 * @throws UserError when the copy has an entry that the origin no longer has
 */
export async function agreeOnChangelog(options: AgreeOptions): Promise<void> {
  await options.call("changelog", async (transport) => {
    let elsewhere: ExportLine[] = [];
    for await (const subject of subjectsElsewhere(transport, options)) {
      elsewhere.push(subject);
      if (elsewhere.length < subjectsAtOnce) continue;
      await placeSubjects(transport, await withoutRecord(elsewhere, options));
      elsewhere = [];
    }
    if (elsewhere.length > 0) {
      await placeSubjects(transport, await withoutRecord(elsewhere, options));
    }
  });
}

/**
 * The snapshot's lines of subjects that have another position in the copy. The copy has all lines of the snapshot, in
 * the same order, and no other entries.
 */
async function* subjectsElsewhere(
  transport: Transport,
  { origin, path, signal }: AgreeOptions,
): AsyncGenerator<ExportLine> {
  await using copies = new LineReader(copyLines("changelog", transport));
  const parse = createLineParser();
  for await (const lines of snapshotLinesOf("changelog", path)) {
    signal.throwIfAborted();
    for (const { text } of lines) {
      const line = parse(text);
      let copy = copies.current ?? (await copies.load());
      while (copy?.kind === subjectKind && recordId(copy) !== recordId(line)) {
        copies.advance();
        copy = copies.current ?? (await copies.load());
      }
      if (line.kind !== subjectKind && copy !== undefined && recordId(copy) !== recordId(line)) {
        throw entryRemoved(origin);
      }
      if (copy !== undefined && recordId(copy) === recordId(line)) copies.advance();
      if (line.kind === subjectKind && copy?.text !== text) yield line;
    }
  }
  let rest = copies.current ?? (await copies.load());
  while (rest?.kind === subjectKind) {
    copies.advance();
    rest = copies.current ?? (await copies.load());
  }
  if (rest !== undefined) throw entryRemoved(origin);
}

/** The subjects without a record in the snapshot; the copy's catalog knows the position of the others. */
async function withoutRecord(
  subjects: readonly ExportLine[],
  { path }: AgreeOptions,
): Promise<ExportLine[]> {
  const byId = new Map(subjects.map((subject) => [subject.key.join("\n"), subject]));
  const parse = createLineParser();
  for await (const lines of snapshotLinesOf("catalog", path)) {
    for (const { text } of lines) {
      const line = parse(text);
      if (line.section === 0) byId.delete(recordId(line));
    }
  }
  return [...byId.values()];
}

async function placeSubjects(transport: Transport, lines: readonly ExportLine[]): Promise<void> {
  async function* batches() {
    for (let start = 0; start < lines.length; start += batchSubjects) {
      const batch = lines.slice(start, start + batchSubjects);
      yield await Promise.resolve({
        isMirrored: true,
        observations: batch.map((line) => ({
          operation: ObservationOperation.RESTORE,
          record: { case: "entrySubject" as const, value: subjectOf(line) },
        })),
      });
    }
  }
  const client = createClient(ChangelogIngestService, transport);
  const responses = client.ingestChangelog(batches(), { timeoutMs: 0 });
  for await (const { rejections } of responses) {
    const [rejection] = rejections;
    if (rejection !== undefined) {
      throw new UserError(`The position of a record was refused (${rejection.reason}).`);
    }
  }
}

function subjectOf({ text }: ExportLine): EntrySubject {
  const { record } = JSON.parse(text) as { record: JsonValue };
  return fromJson(EntrySubjectSchema, record, { ignoreUnknownFields: true });
}
