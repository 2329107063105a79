import { beginningOfLog } from "@storefront/change-feed";
import type { LogPosition } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";
import { lastSequence } from "../domain/entry-id.ts";
import { newestOwnEntry } from "../store/own-entry-store.ts";
import type { OwnEntry } from "../store/own-entry-store.ts";

/**
 * What the catalog's log says of an entry: that it has the write, that it has another one or none, or that it
 * does not keep what was there.
 */
export type Verdict = "same" | "other" | "unknown";

/** Up to where entries and log agree. */
export interface CommonPlace {
  /** Entries of writes after this sequence belong to a history that was lost. */
  readonly sequence: bigint;
  /** From where the log can be followed; undefined when it does not keep what comes next. */
  readonly followFrom: LogPosition | undefined;
}

/**
 * Finds the last entry that the log has too, by halving: what two histories have in common is the beginning
 * of both. Entries that the log does not keep any more are older than all that it can tell of, and count.
 *
 * @param judge asks the log; of the entry undefined, whether it is kept from its beginning on
 */
export async function findCommonPlace(
  queryable: Queryable,
  judge: (entry: OwnEntry | undefined) => Promise<Verdict>,
): Promise<CommonPlace> {
  let newest: LogPosition | undefined;
  let isKept = false;
  // What is stored up to `low` counts, what is stored after `high` does not. The newest first: most often
  // nothing is lost but what comes after it.
  let low = 0n;
  for (let high = lastSequence, middle = high; low < high; middle = (low + high + 1n) / 2n) {
    const entry = await newestOwnEntry(queryable, low, middle);
    const verdict = entry === undefined ? "unknown" : await judge(entry);
    if (entry !== undefined && verdict === "other") {
      high = entry.says.sequence - 1n;
      continue;
    }
    low = middle;
    newest = entry?.says ?? newest;
    isKept = entry === undefined ? isKept : verdict === "same";
  }
  if (newest === undefined) {
    const isWhole = (await judge(undefined)) === "same";
    return { sequence: 0n, followFrom: isWhole ? beginningOfLog : undefined };
  }
  const { sequence, identity } = newest;
  return { sequence, followFrom: isKept ? { sequence, identity } : undefined };
}
