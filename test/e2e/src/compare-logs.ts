import type { ModelEntry } from "./model/replay.ts";
import type { ReadEntry } from "./read-log.ts";

/** Most differences reported: after a lost entry all later entries differ. */
const differencesMax = 5;

/**
 * Returns the differences between a log and the expected entries, in the order of the log. Changes must
 * follow the order of the members; the elements of one member have no order.
 */
export function compareLogs(
  expected: readonly ModelEntry[],
  actual: readonly ReadEntry[],
): string[] {
  const differences =
    expected.length === actual.length
      ? []
      : [`${actual.length} entries instead of ${expected.length}`];
  for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
    if (differences.length >= differencesMax) break;
    const [wanted, got] = [textOf(expected[index]), textOf(actual[index])];
    if (wanted !== got) differences.push(`entry ${index}: ${got} instead of ${wanted}`);
  }
  return differences;
}

/** A canonical text of an entry. */
export function textOf(entry: Omit<ReadEntry, "id"> | undefined): string | undefined {
  if (entry === undefined) return undefined;
  const { contextType, contextId, timestamp } = entry;
  const changes = (entry.changes as { field: string }[]).map((change) => ({
    field: change.field,
    text: JSON.stringify(change),
  }));
  const fields = [...new Set(changes.map(({ field }) => field))];
  const byField = fields.map((field) =>
    changes
      .filter((change) => change.field === field)
      .map(({ text }) => text)
      .toSorted(),
  );
  return JSON.stringify([contextType, contextId, timestamp, byField]);
}
