import { kinds } from "@storefront/import-format";
import { createHash } from "node:crypto";
import type { DifferingLine } from "./lines-that-differ.ts";
import { recordId } from "./export-line.ts";
import type { ExportLine } from "./export-line.ts";

/** A record with data in the copy that the snapshot may lack. */
interface Suspect {
  readonly kind: string;
  readonly key: readonly string[];
  /** Digests of the copy's lines that have not been found in the snapshot. */
  readonly unseen: Set<string>;
  /** Whether the snapshot has a state that no import adds: one before a state of the copy. */
  lacksState: boolean;
  isNamed: boolean;
}

/** A record that was forgotten at the origin. */
export interface ForgottenRecord {
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

/** A line of any release, as this release writes it. */
export function asWritten(text: string): string {
  const line = JSON.parse(text) as { kind: string; op: string; record: Record<string, string> };
  const kind = kinds.get(line.kind);
  if (kind === undefined) return text;
  const { record } = kind.read(line.record, line.op === "delete" ? kind.identity : undefined);
  return JSON.stringify({ ...line, record: kind.write(record) });
}

/** Texts may be a mebibyte long. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
