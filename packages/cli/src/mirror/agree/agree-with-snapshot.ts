import type { Transport } from "@connectrpc/connect";
import type { FeedName } from "@storefront/process";
import { createHash } from "node:crypto";
import { snapshotLinesOf } from "../snapshot-file.ts";
import { agreeOnChangelog } from "./agree-on-changelog.ts";
import {
  asWritten,
  copyLines,
  createLineParser,
  recordId,
  linesThatDiffer,
} from "./export-line.ts";
import type { AgreeOptions, ExportLine, DifferingLine } from "./export-line.ts";

/** Records that are compared with the snapshot at once: some 10 MiB. */
const suspectsAtOnce = 20_000;

/**
 * Makes a copy with earlier data agree with a snapshot that it has imported: records that the origin has forgotten
 * since are forgotten, and their later states imported again. Memory is bounded, and no progress is stored: repeated
 * work changes nothing.
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
  const regions: ForgottenRecord[] = [];
  const forget = async (record: ForgottenRecord) => {
    options.signal.throwIfAborted();
    onForgotten(record);
    await options.forget(record.kind, record.key);
  };
  const settle = async () => {
    for await (const lines of snapshotExportLines(service, options)) {
      for (const line of lines) suspects.see(line);
    }
    for (const record of suspects.take()) {
      if (record.kind === "region") regions.push(record);
      else await forget(record);
    }
  };
  for await (const differing of differencesOf(service, transport, options)) {
    suspects.note(differing);
    if (suspects.size >= suspectsAtOnce) await settle();
  }
  if (suspects.size > 0) await settle();
  // After its prices: a region that has some is not forgotten. Snapshots of release 0.2 have no regions.
  if (options.kindOrder.has("region")) for (const record of regions) await forget(record);
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

/** A record with data in the copy that the snapshot may lack. */
interface Suspect {
  readonly kind: string;
  readonly key: readonly string[];
  /** Digests of the copy's lines that have not been found in the snapshot. */
  readonly unseen: Set<string>;
  /** Whether the snapshot has a state that an import does not add: one before a state of the copy. */
  lacksState: boolean;
  isNamed: boolean;
}

/** A record that was forgotten at the origin. */
interface ForgottenRecord {
  readonly kind: string;
  readonly key: readonly string[];
  /** Whether the snapshot has a later line of it. */
  readonly isNamed: boolean;
}

/**
 * Records of the copy that were forgotten at the origin, by the differing lines. The copy's data is the origin's from
 * before the snapshot, so after the snapshot's import, a line that it lacks is of a record that was forgotten in between.
 */
export class Suspects {
  readonly #byId = new Map<string, Suspect>();

  get size(): number {
    return this.#byId.size;
  }

  note(differing: DifferingLine): void {
    const { side, line } = differing;
    if (side === "copy") {
      this.#of(line).unseen.add(digestOf(line.text));
      return;
    }
    const { next } = differing;
    if (next !== undefined && line.section === 0 && recordId(next) === recordId(line)) {
      this.#of(line).lacksState = true;
    }
  }

  /** To be called with all lines of the snapshot, in any order. */
  see(line: ExportLine): void {
    const suspect = this.#byId.get(recordId(line));
    if (suspect === undefined) return;
    suspect.isNamed = true;
    for (const text of [line.text, asWritten(line.text)]) suspect.unseen.delete(digestOf(text));
  }

  /** Removes and returns the records that remain. */
  take(): ForgottenRecord[] {
    const forgotten = [...this.#byId.values()].filter(
      ({ unseen, lacksState }) => unseen.size > 0 || lacksState,
    );
    this.#byId.clear();
    return forgotten;
  }

  #of({ kind, key }: ExportLine): Suspect {
    const id = recordId({ kind, key });
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const suspect = { kind, key, unseen: new Set<string>(), lacksState: false, isNamed: false };
    this.#byId.set(id, suspect);
    return suspect;
  }
}

/** Texts may be a mebibyte long. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
