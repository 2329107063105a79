import { usageError } from "./user-error.ts";

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/**
 * The time that an option was given, in milliseconds: `0`, or a whole number with its unit, such as
 * `90s`.
 *
 * @throws UserError when it is none.
 */
export function durationOption(name: string, text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  if (text === "0") return 0;
  if (!isUnit(unit)) throw usageError(`--${name} must be a time such as 30s, 10m or 1h, or 0.`);
  return Number(digits) * unitsMs[unit];
}

function isUnit(text: string): text is keyof typeof unitsMs {
  return Object.hasOwn(unitsMs, text);
}
