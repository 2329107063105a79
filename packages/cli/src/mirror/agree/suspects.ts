import { kinds } from "@storefront/import-format";
import { createHash } from "node:crypto";
import type { DifferingLine } from "./lines-that-differ.ts";
import { recordId } from "./placed-line.ts";
import type { PlacedLine } from "./placed-line.ts";

/** A record of which the copy may have what the snapshot does not name. */
interface Suspect {
  readonly kind: string;
  readonly key: readonly string[];
  /** Digests of lines of the copy that the snapshot has not been seen to have. */
  readonly unseen: Set<string>;
  /** Whether the snapshot has what no import adds: a state before one that the copy has. */
  lacksState: boolean;
  isNamed: boolean;
}

/** A record that was forgotten at the origin. */
export interface ForgottenRecord {
  readonly kind: string;
  readonly key: readonly string[];
  /** Whether the snapshot has something of it that came after. */
  readonly isNamed: boolean;
}

/**
 * Records of the copy that were forgotten at the origin, as far as the differing lines say. What the copy has was the
 * origin's before the snapshot was begun, so a line that the snapshot has not, after all of the snapshot was
 * imported, is of a record that was forgotten in between.
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

  /** To be told all lines of the snapshot, in any order: what is somewhere in it counts as named. */
  see(line: PlacedLine): void {
    const suspect = this.#byId.get(recordId(line));
    if (suspect === undefined) return;
    suspect.isNamed = true;
    for (const text of [line.text, asWritten(line.text)]) suspect.unseen.delete(digestOf(text));
  }

  /** Those that are left, and no more of them afterwards. */
  take(): ForgottenRecord[] {
    const left = [...this.#byId.values()].filter(
      ({ unseen, lacksState }) => unseen.size > 0 || lacksState,
    );
    this.#byId.clear();
    return left;
  }

  #of({ kind, key }: PlacedLine): Suspect {
    const id = recordId({ kind, key });
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const suspect = { kind, key, unseen: new Set<string>(), lacksState: false, isNamed: false };
    this.#byId.set(id, suspect);
    return suspect;
  }
}

/** A line as this release writes what it says, whichever has written it. */
export function asWritten(text: string): string {
  const line = JSON.parse(text) as { kind: string; op: string; record: Record<string, string> };
  const kind = kinds.get(line.kind);
  if (kind === undefined) return text;
  const { record } = kind.read(line.record, line.op === "delete" ? kind.identity : undefined);
  return JSON.stringify({ ...line, record: kind.write(record) });
}

/** Texts may be as long as a mebibyte. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
