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
import { entryTakenBack } from "../changes.ts";
import { snapshotLinesOf } from "../snapshot-file.ts";
import type { AgreeOptions, PlacedLine } from "./placed-line.ts";
import { copyLines, createLinePlacer, recordId } from "./placed-line.ts";
import { LineReader } from "./lines-that-differ.ts";

/** Subjects that are looked for among the snapshot's records at once: some 10 MiB. */
const subjectsAtOnce = 20_000;

/** Most in a batch of the changelog. */
const batchSubjects = 500;

const subjectKind = "entrySubject";

/**
 * Makes the changelog of a copy agree with a snapshot that is imported. Where a record was last that is gone now the
 * copy's catalog cannot know, if it moved while nobody followed: there the origin's word counts.
 *
 * @throws UserError when the copy has an entry that the origin has no more
 */
export async function agreeOnChangelog(options: AgreeOptions): Promise<void> {
  await options.call("changelog", async (transport) => {
    let elsewhere: PlacedLine[] = [];
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
 * The snapshot's lines of subjects that are elsewhere in the copy. The copy has all that the snapshot has, in the
 * same order, and entries no more than that.
 */
async function* subjectsElsewhere(
  transport: Transport,
  { origin, path, signal }: AgreeOptions,
): AsyncGenerator<PlacedLine> {
  await using copies = new LineReader(copyLines("changelog", transport));
  const place = createLinePlacer();
  for await (const lines of snapshotLinesOf("changelog", path)) {
    signal.throwIfAborted();
    for (const { text } of lines) {
      const line = place(text);
      let copy = copies.current ?? (await copies.load());
      while (copy?.kind === subjectKind && recordId(copy) !== recordId(line)) {
        copies.advance();
        copy = copies.current ?? (await copies.load());
      }
      if (line.kind !== subjectKind && copy !== undefined && recordId(copy) !== recordId(line)) {
        throw entryTakenBack(origin);
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
  if (rest !== undefined) throw entryTakenBack(origin);
}

/** Those of subjects of which the snapshot has no record: of the others the copy's catalog says where they are. */
async function withoutRecord(
  subjects: readonly PlacedLine[],
  { path }: AgreeOptions,
): Promise<PlacedLine[]> {
  const byId = new Map(subjects.map((subject) => [subject.key.join("\n"), subject]));
  const place = createLinePlacer();
  for await (const lines of snapshotLinesOf("catalog", path)) {
    for (const { text } of lines) {
      const line = place(text);
      if (line.section === 0) byId.delete(recordId(line));
    }
  }
  return [...byId.values()];
}

async function placeSubjects(transport: Transport, lines: readonly PlacedLine[]): Promise<void> {
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
  const answers = client.ingestChangelog(batches(), { timeoutMs: 0 });
  for await (const { rejections } of answers) {
    const [rejection] = rejections;
    if (rejection !== undefined) {
      throw new UserError(`The place of a record was refused (${rejection.reason}).`);
    }
  }
}

function subjectOf({ text }: PlacedLine): EntrySubject {
  const { record } = JSON.parse(text) as { record: JsonValue };
  return fromJson(EntrySubjectSchema, record, { ignoreUnknownFields: true });
}
