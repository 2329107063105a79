import type { Locale } from "@storefront/domain/identifiers";

/** The day of an instant, such as "Mar 16, 2026"; undefined when unknown. */
export function formatDay(instant: string | null | undefined, locale: Locale): string | undefined {
  if (instant === null || instant === undefined) return undefined;
  return new Date(instant).toLocaleDateString(locale, { dateStyle: "medium" });
}

/** An instant to the minute, in the reader's time zone. */
export function formatMinute(instant: string, locale: Locale): string {
  return new Date(instant).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

/** An instant to the second. */
export function formatInstant(instant: string, locale: Locale): string {
  return new Date(instant).toLocaleString(locale, { dateStyle: "medium", timeStyle: "medium" });
}

const steps = [
  { unit: "year", seconds: 31_536_000 },
  { unit: "month", seconds: 2_592_000 },
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3600 },
  { unit: "minute", seconds: 60 },
] as const;

/** How long ago an instant was, such as "5 minutes ago". */
export function formatAge(instant: string, locale: Locale, nowMs: number): string {
  const seconds = Math.round((new Date(instant).getTime() - nowMs) / 1000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  const step = steps.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  if (step === undefined) return format.format(Math.min(seconds, 0), "second");
  return format.format(Math.trunc(seconds / step.seconds), step.unit);
}
