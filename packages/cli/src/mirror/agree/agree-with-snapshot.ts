import type { Transport } from "@connectrpc/connect";
import type { FeedName } from "@storefront/config";
import { snapshotLinesOf } from "../snapshot-file.ts";
import { agreeOnChangelog } from "./agree-on-changelog.ts";
import type { AgreeOptions, ExportLine } from "./export-line.ts";
import { copyLines, createLineParser } from "./export-line.ts";
import { linesThatDiffer } from "./lines-that-differ.ts";
import { asWritten, Suspects } from "./suspects.ts";

/** Records that are compared with the snapshot at once: some 10 MiB. */
const suspectsAtOnce = 20_000;

/**
 * Makes a copy with earlier data agree with a snapshot that it has imported: records that the origin has forgotten
 * meanwhile are forgotten, and their later states imported again. Memory is bounded, and no progress is stored: what is
 * done twice changes nothing.
 *
 * @returns records that were forgotten
 */
export async function agreeWithSnapshot(options: AgreeOptions): Promise<number> {
  let forgotten = 0;
  // The changelog last, since forgetting changes its positions.
  for (const service of ["catalog", "pricing", "reviews"] as const) {
    let isNamed = false;
    await options.call(service, (transport) =>
      forgetUnnamed(service, transport, options, (record) => {
        forgotten++;
        isNamed ||= record.isNamed;
      }),
    );
    if (isNamed) await options.call(service, (over) => importMissing(service, over, options));
  }
  await agreeOnChangelog(options);
  return forgotten;
}

async function forgetUnnamed(
  service: FeedName,
  transport: Transport,
  options: AgreeOptions,
  onForgotten: (record: { isNamed: boolean }) => void,
): Promise<void> {
  const suspects = new Suspects();
  const settle = async () => {
    for await (const lines of snapshotExportLines(service, options)) {
      for (const line of lines) suspects.see(line);
    }
    for (const record of suspects.take()) {
      options.signal.throwIfAborted();
      onForgotten(record);
      await options.forget(record.kind, record.key);
    }
  };
  for await (const differing of differencesOf(service, transport, options)) {
    suspects.note(differing);
    if (suspects.size >= suspectsAtOnce) await settle();
  }
  if (suspects.size > 0) await settle();
}

/** Imports again what the copy lacks, in the snapshot's order. */
async function importMissing(
  service: FeedName,
  transport: Transport,
  options: AgreeOptions,
): Promise<void> {
  for await (const { side, line } of differencesOf(service, transport, options)) {
    if (side === "copy") continue;
    const position = { file: options.path, line: line.number };
    await options.importer.addLine(line.text, position, Buffer.byteLength(line.text));
  }
  await options.importer.flush();
}

function differencesOf(service: FeedName, transport: Transport, options: AgreeOptions) {
  return linesThatDiffer({
    copy: copyLines(service, transport),
    snapshot: snapshotExportLines(service, options),
    kindOrder: options.kindOrder,
    isSame: (copy, snapshot) => copy.text === asWritten(snapshot.text),
  });
}

/** The snapshot's lines of a service. */
async function* snapshotExportLines(
  service: FeedName,
  { path, signal }: AgreeOptions,
): AsyncGenerator<ExportLine[]> {
  const parse = createLineParser();
  for await (const lines of snapshotLinesOf(service, path)) {
    signal.throwIfAborted();
    yield lines.map(({ text }) => parse(text));
  }
}
