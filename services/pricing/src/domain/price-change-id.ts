import type { LogPosition } from "@storefront/change-feed";

/** Digits of a sequence in hexadecimal. */
const digits = 13;

const form = new RegExp(`^price-([0-9a-f]{${digits}})(?:-([0-9a-z]{1,13}))?$`);

/**
 * The id of the change at a place of the log, and of the place itself: ascending by code point in the order
 * of commit, and another one than that of a write which had the same sequence in a history that was lost.
 */
export function changeIdOf({ sequence, identity }: LogPosition): string {
  const id = `price-${sequence.toString(16).padStart(digits, "0")}`;
  return identity === "" ? id : `${id}-${identity}`;
}

/** The place that an id names; undefined when it is none. Only the beginning of the log has no identity. */
export function readChangeId(id: string): LogPosition | undefined {
  const [, digitsOfSequence, identity = ""] = form.exec(id) ?? [];
  if (digitsOfSequence === undefined) return undefined;
  const sequence = BigInt(`0x${digitsOfSequence}`);
  return (sequence === 0n) === (identity === "") ? { sequence, identity } : undefined;
}
