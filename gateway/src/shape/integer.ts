/** A 64-bit integer as a JSON number, exact up to 2^53; null for what is unknown. */
export function integerOf(value: bigint | undefined): number | null {
  return value === undefined ? null : Number(value);
}
