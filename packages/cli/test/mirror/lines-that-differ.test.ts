import { Seeded } from "@storefront/testkit";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  asWritten,
  linesThatDiffer,
  createLineParser,
} from "../../src/mirror/agree/export-line.ts";
import type { ExportLine } from "../../src/mirror/agree/export-line.ts";
import { Suspects } from "../../src/mirror/agree/agree-with-snapshot.ts";

/** A record of a stack: the times and texts of its states, and when it was last seen or deleted. */
interface StackRecord {
  kind: "offer" | "price";
  id: string;
  states: { at: number; text: string }[];
  last: { at: number; is: "state" | "sighting" | "deletion" };
}

// In UTF-16 the last two sort in reverse.
const letters = ["a", "B", "~", "é", "\u{FFFD}", "\u{1F600}"];

function someRecord(random: Seeded): StackRecord {
  const id = Array.from(
    { length: 1 + random.below(3) },
    () => letters[random.below(letters.length)],
  ).join("");
  const kind = random.below(2) === 0 ? "offer" : "price";
  const count = kind === "offer" ? random.below(2) : random.below(4);
  const states = Array.from({ length: count }, (_, index) => ({
    at: 10 * index + random.below(3),
    text: `t${random.below(2)}`,
  }));
  const isSeenAgain = kind === "price" && random.below(3) === 0;
  const is = count === 0 ? "deletion" : isSeenAgain ? "sighting" : "state";
  return { kind, id, states, last: { at: 100 + random.below(3), is } };
}

function someStack(random: Seeded, count: number): Map<string, StackRecord> {
  const records = Array.from({ length: count }, () => someRecord(random));
  return new Map(records.map((record) => [`${record.kind}\n${record.id}`, record]));
}

/** The lines of an export, in the order of its contract. */
function exportOf(stack: ReadonlyMap<string, StackRecord>): string[] {
  const points = (text: string) => Array.from(text, (each) => each.codePointAt(0) ?? 0);
  const byPoints = (a: readonly number[], b: readonly number[]): number => {
    const at = a.findIndex((point, index) => point !== b[index]);
    return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
  };
  const digest = ({ kind, id }: StackRecord) =>
    createHash("sha256")
      .update(kind === "offer" ? id : `${id}\0US`)
      .digest("hex");
  const byDigest = (a: StackRecord, b: StackRecord) => (digest(a) < digest(b) ? -1 : 1);
  return (["offer", "price"] as const).flatMap((kind) => {
    const ofKind = [...stack.values()].filter((record) => record.kind === kind);
    const present = ofKind.toSorted((a, b) => byPoints(points(a.id), points(b.id)));
    const lastOnes = (is: StackRecord["last"]["is"]) =>
      (is === "deletion" ? ofKind.toSorted(byDigest) : present)
        .filter(({ last }) => last.is === is)
        .map((record) =>
          lineOf(
            record,
            record.last.at,
            is === "deletion" ? undefined : record.states.at(-1)?.text,
          ),
        );
    const states = present.flatMap((record) =>
      record.states.map(({ at, text }) => lineOf(record, at, text)),
    );
    return [...states, ...lastOnes("sighting"), ...lastOnes("deletion")];
  });
}

function lineOf({ kind, id }: StackRecord, at: number, text: string | undefined): string {
  const record =
    kind === "offer"
      ? { id, ...(text !== undefined && { title: text }) }
      : { offerId: id, region: "US", ...(text !== undefined && { updatedAt: dayOf(text) }) };
  const op = text === undefined ? "delete" : "upsert";
  return JSON.stringify({ kind, op, observedAt: new Date(at).toISOString(), record });
}

const dayOf = (text: string) => `2026-01-0${Number(text.slice(1)) + 1}T00:00:00.000Z`;

/** A copy of a stack with missing, changed and additional records. */
function changedCopy(stack: Map<string, StackRecord>, random: Seeded): Map<string, StackRecord> {
  const others = [...someStack(random, random.below(8))].filter(([id]) => !stack.has(id));
  const changed = [...stack].flatMap(([id, record]): [string, StackRecord][] => {
    switch (random.below(8)) {
      case 0:
        return [];
      case 1:
        return [[id, { ...record, last: { ...record.last, at: record.last.at + 1 } }]];
      case 2:
        return [[id, { ...record, states: record.states.slice(1) }]];
      case 3: {
        const states = record.states.map((state) => ({ ...state, text: "t2" }));
        return [[id, { ...record, states }]];
      }
      default:
        return [[id, record]];
    }
  });
  return new Map([...changed, ...others]);
}

async function* parsed(lines: readonly string[], size: number): AsyncGenerator<ExportLine[]> {
  const parse = createLineParser();
  for (let at = 0; at < lines.length; at += size) {
    yield await Promise.resolve(lines.slice(at, at + size).map(parse));
  }
}

test("records of a copy are suspected exactly when the snapshot lacks one of their lines", async () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = new Seeded(seed);
    const origin = someStack(random, random.below(30));
    const snapshot = exportOf(origin);
    const copy = exportOf(changedCopy(origin, random));
    const kindOrder = new Map(
      snapshot.map((line) => [kindOf(line), kindOf(line) === "offer" ? 0 : 1]),
    );
    const suspects = new Suspects();
    const added = new Set<string>();
    const compared = {
      copy: parsed(copy, 1 + random.below(7)),
      snapshot: parsed(snapshot, 1 + random.below(7)),
      kindOrder,
      isSame: () => false,
    };
    for await (const differing of linesThatDiffer(compared)) {
      suspects.note(differing);
      if (differing.side === "snapshot") added.add(differing.line.text);
    }
    for await (const lines of parsed(snapshot, 100)) {
      for (const line of lines) suspects.see(line);
    }
    const taken = suspects.take().map(({ kind, key }) => `${kind} ${key[0]}`);
    const unnamed = copy.filter((line) => !snapshot.includes(line)).map(recordOf);
    const lacking = snapshot.filter((line) => !copy.includes(line));
    // An import does not add a state that is older than one of the copy.
    const before = lacking.filter((line) => copy.some((other) => isStateAfter(other, line)));
    expect([seed, new Set(taken)]).toEqual([seed, new Set([...unnamed, ...before.map(recordOf)])]);
    expect(lacking.filter((line) => !added.has(line))).toEqual([]);
  }
});

interface Line {
  kind: string;
  op: string;
  observedAt: string;
  record: { id?: string; offerId?: string };
}

const parseLine = (line: string) => JSON.parse(line) as Line;
const kindOf = (line: string) => parseLine(line).kind;

function recordOf(line: string): string {
  const { kind, record } = parseLine(line);
  return `${kind} ${record.id ?? record.offerId}`;
}

function isStateAfter(other: string, line: string): boolean {
  const [a, b] = [parseLine(other), parseLine(line)];
  const arePrices = a.kind === "price" && b.kind === "price";
  return arePrices && recordOf(other) === recordOf(line) && a.observedAt > b.observedAt;
}

test("a line is equal to the same line as another release writes it", () => {
  const other =
    '{"kind":"price","op":"upsert","observedAt":"2026-01-01T00:00:00.000Z","record":{"region":"US","offerId":"o","isNew":true}}';
  expect(asWritten(other)).toBe(
    '{"restored":true,"kind":"price","op":"upsert","observedAt":"2026-01-01T00:00:00.000Z","record":{"offerId":"o","region":"US"}}',
  );
});
