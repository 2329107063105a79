import type { LogPosition } from "@storefront/change-feed";

/** Digits of a sequence in hexadecimal. */
const digits = 13;

const form = new RegExp(`^price-([0-9a-f]{${digits}})(?:-([0-9a-z]{1,13}))?$`);

/**
 * The id of the change at a position of the log, and of the position itself: ascending by code point in commit order,
 * and different from that of a write with the same sequence in a lost history.
 */
export function changeIdOf({ sequence, identity }: LogPosition): string {
  const id = `price-${sequence.toString(16).padStart(digits, "0")}`;
  return identity === "" ? id : `${id}-${identity}`;
}

/** The position of an id; undefined for an invalid id. Only the beginning of the log has no identity. */
export function readChangeId(id: string): LogPosition | undefined {
  const [, digitsOfSequence, identity = ""] = form.exec(id) ?? [];
  if (digitsOfSequence === undefined) return undefined;
  const sequence = BigInt(`0x${digitsOfSequence}`);
  return (sequence === 0n) === (identity === "") ? { sequence, identity } : undefined;
}
