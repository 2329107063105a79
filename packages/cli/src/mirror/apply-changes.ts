import { kinds } from "@storefront/import-format";
import type { Importer } from "../import/importer.ts";
import { UserError } from "../user-error.ts";
import type { ChangeEvent } from "./change-events.ts";
import type { ForgetMirrored } from "./forget-mirrored.ts";

/** What changes are applied with. */
export interface ApplyOptions {
  importer: Importer;
  forget: ForgetMirrored;
  /** Base URL, which reasons name. */
  origin: string;
}

/**
 * Stores changes in their order; resolves when all of them are. Those that are stored already change nothing.
 *
 * @returns when each was stored at the origin, in milliseconds since 1970
 * @throws UserError for what a mirror cannot take over
 */
export async function applyChanges(
  events: readonly ChangeEvent[],
  { importer, forget, origin }: ApplyOptions,
): Promise<number[]> {
  const committedAtMs: number[] = [];
  for (const [index, { line }] of events.entries()) {
    const change: unknown = JSON.parse(line);
    const { kind = "", op, committedAt, record } = Object(change) as Change;
    committedAtMs.push(Date.parse(committedAt ?? ""));
    if (op === "forget") {
      // What came before it must not come after it.
      await importer.flush();
      await forget(kind, keyOf(kind, record));
    } else if (op === "delete" && kinds.get(kind)?.service === "changelog") {
      throw entryTakenBack(origin);
    } else {
      const place = { file: origin, line: index + 1 };
      await importer.addObservation(change, place, Buffer.byteLength(line));
    }
  }
  await importer.flush();
  return committedAtMs;
}

/** What a mirror says whose origin has taken entries back. */
export function entryTakenBack(origin: string): UserError {
  return new UserError(
    `${origin} has taken back an entry of its changelog with a history that it lost; begin anew with an empty stack.`,
  );
}

/** The members of a line that are looked at here; the importer checks all. */
interface Change {
  kind?: string;
  op?: string;
  committedAt?: string;
  record?: Record<string, string>;
}

function keyOf(kind: string, record: Change["record"]): string[] {
  return (kinds.get(kind)?.identity ?? []).map((member) => record?.[member] ?? "");
}
