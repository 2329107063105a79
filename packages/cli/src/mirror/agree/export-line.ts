import type { Transport } from "@connectrpc/connect";
import type { FeedName } from "@storefront/process";
import { kinds } from "@storefront/import-format";
import { createHash } from "node:crypto";
import type { Importer } from "../../import/importer.ts";
import { ingestServices, observationLine } from "../../import/ingest-services.ts";
import type { CallService, ForgetMirrored } from "../copy.ts";

/** A line of a snapshot or an export, with what determines its position. */
export interface ExportLine {
  /** Without its line feed. */
  readonly text: string;
  /** From 1, in the file or export. */
  readonly number: number;
  readonly kind: string;
  /** The identity members of its record. */
  readonly key: readonly string[];
  /** As ISO 8601 in UTC; empty where states have no time of their own. */
  readonly observedAt: string;
  readonly section: Section;
}

/**
 * A kind has up to three: its records by identity, of prices all states in the order observed; the sightings of prices;
 * its deletions by a digest of their identity.
 */
type Section = 0 | 1 | 2;

/** Only prices have deletions among their states. */
const kindWithStates = "price";

/** Parses lines in their order. */
export function createLineParser(): (text: string) => ExportLine {
  let number = 0;
  let last: ExportLine | undefined;
  return (text) => {
    const { kind, op, observedAt = "", record } = JSON.parse(text) as LineMembers;
    const key = (kinds.get(kind)?.identity ?? []).flatMap((member) => record[member] ?? []);
    number++;
    const before = last?.kind === kind ? last : undefined;
    const parsed = { text, number, kind, key, observedAt };
    const isDeletion = op === "delete";
    const isAscending = before === undefined || compareStates(before, parsed) < 0;
    const continues = kind === kindWithStates ? isAscending : !isDeletion;
    const section =
      (before?.section ?? 0) === 0 && continues ? 0 : isDeletion || before?.section === 2 ? 2 : 1;
    last = { ...parsed, section };
    return last;
  };
}

/** The members of an imported line that are used here. */
interface LineMembers {
  kind: string;
  op: string;
  observedAt?: string;
  record: Record<string, string | string[]>;
}

/**
 * Compares lines of known kinds by their order: negative when the first comes first.
 *
 * @param kindOrder names of kinds
 */
function compareLines(
  a: ExportLine,
  b: ExportLine,
  kindOrder: ReadonlyMap<string, number>,
): number {
  const byKind = (kindOrder.get(a.kind) ?? -1) - (kindOrder.get(b.kind) ?? -1);
  if (byKind !== 0 || a.section !== b.section) return byKind || a.section - b.section;
  if (a.section === 2) return Buffer.compare(digestOf(a), digestOf(b));
  return a.kind === kindWithStates ? compareStates(a, b) : compareKeys(a.key, b.key);
}

/** One text for the identity of a line's record. */
export function recordId({ kind, key }: Pick<ExportLine, "kind" | "key">): string {
  return [kind, ...key].join("\n");
}

type State = Pick<ExportLine, "key" | "observedAt">;

/** All times have the same form, so they sort as texts. */
function compareStates(a: State, b: State): number {
  const byKey = compareKeys(a.key, b.key);
  if (byKey !== 0 || a.observedAt === b.observedAt) return byKey;
  return a.observedAt < b.observedAt ? -1 : 1;
}

/** By code points, as the services sort text. */
function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? "";
    if (part !== other) return Buffer.compare(Buffer.from(part), Buffer.from(other));
  }
  return 0;
}

/** As services store deletions: identities may be too long for an index. */
function digestOf({ key }: ExportLine): Buffer {
  return createHash("sha256").update(key.join("\0")).digest();
}

export interface AgreeOptions {
  /** Base URL, for reasons. */
  origin: string;
  /** The file of the imported snapshot. */
  path: string;
  /** Kinds of the snapshot in its order. */
  kindOrder: ReadonlyMap<string, number>;
  call: CallService;
  forget: ForgetMirrored;
  importer: Importer;
  signal: AbortSignal;
}

/** Services whose lines a snapshot marks as restored, except deletions. */
const restoredServices: ReadonlySet<string> = new Set(["catalog", "pricing"]);

/** A line of any release, as this release writes it. */
export function asWritten(text: string): string {
  const line = JSON.parse(text) as { kind: string; op: string; record: Record<string, string> };
  const kind = kinds.get(line.kind);
  if (kind === undefined) return text;
  const isDeletion = line.op === "delete";
  const { record } = kind.read(line.record, isDeletion ? kind.identity : undefined);
  const isRestored = !isDeletion && restoredServices.has(kind.service);
  return JSON.stringify({
    ...(isRestored && { restored: true }),
    ...line,
    record: kind.write(record),
  });
}

/** What a service of the copy stores, as lines of a snapshot. */
export async function* copyLines(
  service: FeedName,
  transport: Transport,
): AsyncGenerator<ExportLine[]> {
  const parse = createLineParser();
  // It takes as long as the import of the snapshot.
  for await (const { observations } of ingestServices[service].export(transport, {
    timeoutMs: 0,
  })) {
    yield observations.map((observation) =>
      parse(observationLine(observation, restoredServices.has(service)).slice(0, -1)),
    );
  }
}

/** A line that the other side lacks at this position. */
export type DifferingLine =
  | { readonly side: "copy"; readonly line: ExportLine }
  | {
      readonly side: "snapshot";
      readonly line: ExportLine;
      /** The next line of the copy. */
      readonly next: ExportLine | undefined;
    };

/** The compared lines, in the order of an export, in batches. */
interface ComparedLines {
  copy: AsyncIterable<readonly ExportLine[]>;
  snapshot: AsyncIterable<readonly ExportLine[]>;
  /** Kinds of the snapshot in its order; other kinds sort before them. */
  kindOrder: ReadonlyMap<string, number>;
  /** Whether lines at one position differ in form only. */
  isSame: (copy: ExportLine, snapshot: ExportLine) => boolean;
}

/**
 * The differences of two streams of lines, which are read side by side: one batch of each is in memory. Where one is not in
 * the expected order, some lines that both have are yielded too; no difference is omitted.
 */
export async function* linesThatDiffer(compared: ComparedLines): AsyncGenerator<DifferingLine> {
  const { kindOrder, isSame } = compared;
  await using copies = new LineReader(compared.copy);
  await using named = new LineReader(compared.snapshot);
  for (;;) {
    const copy = copies.current ?? (await copies.load());
    const snapshot = named.current ?? (await named.load());
    if (copy === undefined && snapshot === undefined) return;
    const order = orderOf(copy, snapshot, kindOrder);
    if (order <= 0) copies.advance();
    if (order >= 0) named.advance();
    if (order < 0 && copy !== undefined) yield { side: "copy", line: copy };
    if (order > 0 && snapshot !== undefined) yield { side: "snapshot", line: snapshot, next: copy };
    if (order !== 0 || copy === undefined || snapshot === undefined) continue;
    if (copy.text === snapshot.text || isSame(copy, snapshot)) continue;
    yield { side: "copy", line: copy };
    yield { side: "snapshot", line: snapshot, next: undefined };
  }
}

function orderOf(
  copy: ExportLine | undefined,
  snapshot: ExportLine | undefined,
  kindOrder: ReadonlyMap<string, number>,
): number {
  if (copy === undefined) return 1;
  if (snapshot === undefined) return -1;
  return copy.text === snapshot.text ? 0 : compareLines(copy, snapshot, kindOrder);
}

/** Reads lines one by one, without a turn of the event loop for each. */
export class LineReader implements AsyncDisposable {
  readonly #batches: AsyncIterator<readonly ExportLine[]>;
  #batch: readonly ExportLine[] = [];
  #index = 0;

  constructor(batches: AsyncIterable<readonly ExportLine[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Undefined at the end of a batch, after which there may be another. */
  get current(): ExportLine | undefined {
    return this.#batch[this.#index];
  }

  /** The first line of the next batch that has one; undefined when there is none. */
  async load(): Promise<ExportLine | undefined> {
    while (this.current === undefined) {
      const { done, value } = await this.#batches.next();
      if (done === true) return undefined;
      this.#batch = value;
      this.#index = 0;
    }
    return this.current;
  }

  advance(): void {
    this.#index++;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batches.return?.();
  }
}
