import { feedNames } from "@storefront/process";
import type { FeedName } from "@storefront/process";
import { badRequest } from "../errors/public-error.ts";

/** A position in a service's log. */
export interface FeedPosition {
  /** 0 is before the first entry. */
  readonly sequence: bigint;
  /** Of the entry there; empty when there is none. */
  readonly identity: string;
}

/** What a copy of the catalogue has: a position in every log. */
export type FeedPositions = Readonly<Record<FeedName, FeedPosition>>;

const form = /^([0-9a-z]{1,13})-([\w-]{0,40})$/;

/** The positions as text, in the order of `feedNames`. */
export function writeCursor(positions: FeedPositions): string {
  return feedNames
    .map((feed) => `${positions[feed].sequence.toString(36)}-${positions[feed].identity}`)
    .join(".");
}

/** @throws INVALID_ARGUMENT for text that `writeCursor` does not write */
export function readCursor(cursor: string): FeedPositions {
  const parts = cursor.split(".");
  const [catalog, pricing, reviews, changelog] = parts.map(readPosition);
  if (parts.length !== feedNames.length || !catalog || !pricing || !reviews || !changelog) {
    throw badRequest("after must be a cursor that a snapshot, or a change after it, came with.");
  }
  return { catalog, pricing, reviews, changelog };
}

function readPosition(text: string): FeedPosition | undefined {
  const [, digits, identity] = form.exec(text) ?? [];
  if (digits === undefined || identity === undefined) return undefined;
  // BigInt() reads no base 36.
  const sequence = Array.from(digits).reduce(
    (sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)),
    0n,
  );
  return sequence < 2n ** 63n ? { sequence, identity } : undefined;
}
