import type { Timestamp } from "@bufbuild/protobuf/wkt";

const secondsPerDay = 86_400;
// 0001-01-01 and 10000-01-01, which a Timestamp lies between.
const earliestSeconds = -62_135_596_800;
const endSeconds = 253_402_300_800;

/**
 * ISO 8601 in UTC with milliseconds; null for what is unknown. What `toISOString` of a Date gives in
 * a quarter of its time: an offer has seven instants, and they were half of what shaping it took.
 *
 * @throws RangeError for what no Date can hold
 */
export function instantOf(timestamp: Timestamp | undefined): string | null {
  if (timestamp === undefined) return null;
  return instantAt(Number(timestamp.seconds), Math.floor(timestamp.nanos / 1_000_000));
}

/**
 * The same of milliseconds since 1970.
 *
 * @throws RangeError for what no Date can hold
 */
export function instantOfMs(timeMs: number): string {
  const seconds = Math.floor(timeMs / 1000);
  return instantAt(seconds, timeMs - seconds * 1000);
}

function instantAt(seconds: number, milliseconds: number): string {
  const isOrdinary = seconds >= earliestSeconds && seconds < endSeconds;
  if (!isOrdinary || milliseconds < 0 || milliseconds > 999) {
    return new Date(seconds * 1000 + milliseconds).toISOString();
  }
  const days = Math.floor(seconds / secondsPerDay);
  return textOf(days, seconds - days * secondsPerDay, milliseconds);
}

// Days from 0000-03-01 to 1970-01-01.
const daysToEpoch = 719_468;
// Days of 400, 100, 4 and 1 years that begin in March and so end with their leap day, if any.
const daysPerEra = 146_097;
const daysPerCentury = 36_524;
const daysPerLeapCycle = 1461;
const daysPerYear = 365;

/** Source of the calendar: https://howardhinnant.github.io/date_algorithms.html#civil_from_days */
function textOf(days: number, secondOfDay: number, milliseconds: number): string {
  const shifted = days + daysToEpoch;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const leapDays =
    Math.floor(dayOfEra / (daysPerLeapCycle - 1)) -
    Math.floor(dayOfEra / daysPerCentury) +
    Math.floor(dayOfEra / (daysPerEra - 1));
  const yearOfEra = Math.floor((dayOfEra - leapDays) / daysPerYear);
  const dayOfYear =
    dayOfEra - (daysPerYear * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // From March: five months have 153 days.
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const hour = Math.floor(secondOfDay / 3600);
  const minute = Math.floor(secondOfDay / 60) % 60;
  // Character codes, because joined texts would have to be joined again by whoever reads them.
  return String.fromCharCode(
    digit(year / 1000),
    digit(year / 100),
    digit(year / 10),
    digit(year),
    dash,
    digit(month / 10),
    digit(month),
    dash,
    digit(day / 10),
    digit(day),
    letterT,
    digit(hour / 10),
    digit(hour),
    colon,
    digit(minute / 10),
    digit(minute),
    colon,
    digit((secondOfDay % 60) / 10),
    digit(secondOfDay % 60),
    dot,
    digit(milliseconds / 100),
    digit(milliseconds / 10),
    digit(milliseconds),
    letterZ,
  );
}

const [dash, dot, colon, letterT, letterZ] = [0x2d, 0x2e, 0x3a, 0x54, 0x5a];

function digit(value: number): number {
  return 0x30 + (Math.floor(value) % 10);
}
