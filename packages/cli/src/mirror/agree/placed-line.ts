import type { Transport } from "@connectrpc/connect";
import type { FeedName } from "@storefront/config";
import { kinds } from "@storefront/import-format";
import { createHash } from "node:crypto";
import type { Importer } from "../../import/importer.ts";
import { ingestServices, observationLine } from "../../import/ingest-services.ts";
import type { CallService, ForgetMirrored } from "../copy.ts";

/** A line of a snapshot or an export, with what its place there follows from. */
export interface PlacedLine {
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
 * A kind comes in up to three: its records by identity, of prices all states in the order seen; the prices that were
 * seen again; its deletions by a digest of their identity.
 */
type Section = 0 | 1 | 2;

/** Prices alone have deletions among their states as well. */
const kindWithStates = "price";

/** Tells of lines in their order where they stand. */
export function createLinePlacer(): (text: string) => PlacedLine {
  let number = 0;
  let last: PlacedLine | undefined;
  return (text) => {
    const said = JSON.parse(text) as SaidByLine;
    const { kind, op, observedAt = "", record } = said;
    const key = (kinds.get(kind)?.identity ?? []).flatMap((member) => record[member] ?? []);
    number++;
    const before = last?.kind === kind ? last : undefined;
    const begun = { text, number, kind, key, observedAt };
    const isDeletion = op === "delete";
    const isAscending = before === undefined || compareStates(before, begun) < 0;
    const goesOn = kind === kindWithStates ? isAscending : !isDeletion;
    const section =
      (before?.section ?? 0) === 0 && goesOn ? 0 : isDeletion || before?.section === 2 ? 2 : 1;
    last = { ...begun, section };
    return last;
  };
}

/** The members of a line that are looked at here; an import has taken it already. */
interface SaidByLine {
  kind: string;
  op: string;
  observedAt?: string;
  record: Record<string, string | string[]>;
}

/**
 * Which of two lines comes first: negative for the first of them. They are of kinds that the order knows.
 *
 * @param kindOrder names of kinds
 */
export function compareLines(
  a: PlacedLine,
  b: PlacedLine,
  kindOrder: ReadonlyMap<string, number>,
): number {
  const byKind = (kindOrder.get(a.kind) ?? -1) - (kindOrder.get(b.kind) ?? -1);
  if (byKind !== 0 || a.section !== b.section) return byKind || a.section - b.section;
  if (a.section === 2) return Buffer.compare(digestOf(a), digestOf(b));
  return a.kind === kindWithStates ? compareStates(a, b) : compareKeys(a.key, b.key);
}

/** One text for the identity of a line's record. */
export function recordId({ kind, key }: Pick<PlacedLine, "kind" | "key">): string {
  return [kind, ...key].join("\n");
}

type State = Pick<PlacedLine, "key" | "observedAt">;

/** Times are all of one form, so they sort as texts. */
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

/** As services store deletions: identities may be longer than an index takes. */
function digestOf({ key }: PlacedLine): Buffer {
  return createHash("sha256").update(key.join("\0")).digest();
}

/** What a copy is made to agree with. */
export interface AgreeOptions {
  /** Base URL, which reasons name. */
  origin: string;
  /** The snapshot's file, all of which has been imported. */
  path: string;
  /** Kinds of the snapshot in its order. */
  kindOrder: ReadonlyMap<string, number>;
  call: CallService;
  forget: ForgetMirrored;
  importer: Importer;
  signal: AbortSignal;
}

/** What a service of the copy has, as the lines that a snapshot of the copy would have of it. */
export async function* copyLines(
  service: FeedName,
  transport: Transport,
): AsyncGenerator<PlacedLine[]> {
  const place = createLinePlacer();
  // It takes as long as what it is compared with.
  for await (const { observations } of ingestServices[service].export(transport, {
    timeoutMs: 0,
  })) {
    yield observations.map((observation) =>
      place(observationLine(observation, service === "catalog").slice(0, -1)),
    );
  }
}
