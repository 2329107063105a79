import { usageError } from "./user-error.ts";

/**
 * The whole number that an option was given.
 *
 * @throws UserError when it is none or outside the bounds.
 */
export function integerOption(
  name: string,
  text: string,
  { min, max }: { min: number; max: number },
): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw usageError(`--${name} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

const unitsMs = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/**
 * The time that an option was given, in milliseconds: `0`, or a whole number with its unit, such as
 * `90s`.
 *
 * @throws UserError when it is none.
 */
export function durationOption(name: string, text: string): number {
  if (text === "0") return 0;
  const [, digits = "", unit = ""] = /^(\d{1,9})([a-z]+)$/.exec(text) ?? [];
  const unitMs = unitsMs.get(unit);
  if (unitMs === undefined)
    throw usageError(`--${name} must be a time such as 30s, 10m or 1h, or 0.`);
  return Number(digits) * unitMs;
}
