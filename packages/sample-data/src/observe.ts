import type { Random } from "./random.ts";

/** One line of the import format, of one kind. */
export interface Observed<K extends string, Of> {
  readonly kind: K;
  readonly op: "upsert";
  /** ISO 8601 in UTC with milliseconds. */
  readonly observedAt: string;
  readonly record: Of;
}

/** A record as seen at a time, in ms since 1970. */
export function observe<K extends string, Of>(
  kind: K,
  observedMs: number,
  record: Of,
): Observed<K, Of> {
  return { kind, op: "upsert", observedAt: iso(observedMs), record };
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A time between two, in ms since 1970; `fromMs` when the two are in the wrong order. */
export function momentBetween(random: Random, fromMs: number, toMs: number): number {
  return Math.floor(fromMs + random.unit() * Math.max(0, toMs - fromMs));
}

/** The full hour at or before a time. */
export function fullHour(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}

/** ISO 8601 in UTC with milliseconds. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
