import type { Random } from "./random.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A moment between two, in ms since 1970; `fromMs` when the two are the wrong way round. */
export function momentBetween(random: Random, fromMs: number, toMs: number): number {
  return Math.floor(fromMs + random.unit() * Math.max(0, toMs - fromMs));
}

/** The full hour at or before a moment. */
export function fullHour(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs;
}

/** ISO 8601 in UTC with milliseconds. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
