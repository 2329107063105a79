import { iso } from "./time.ts";

/** One line of the import format, of one kind. */
export interface Observed<K extends string, Of> {
  readonly kind: K;
  readonly op: "upsert";
  /** ISO 8601 in UTC with milliseconds. */
  readonly observedAt: string;
  readonly record: Of;
}

/** A record as seen at a moment, in ms since 1970. */
export function observe<K extends string, Of>(
  kind: K,
  observedMs: number,
  record: Of,
): Observed<K, Of> {
  return { kind, op: "upsert", observedAt: iso(observedMs), record };
}
