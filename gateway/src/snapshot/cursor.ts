import { feedNames } from "@storefront/config";
import type { FeedName } from "@storefront/config";
import { badRequest } from "../errors/public-error.ts";

/** A place in a service's log. */
export interface FeedPlace {
  /** 0 is before the first entry. */
  readonly sequence: bigint;
  /** Of the entry there; empty when there is none. */
  readonly identity: string;
}

/** A place in every log: what a copy has. */
export type FeedPlaces = Readonly<Record<FeedName, FeedPlace>>;

const form = /^([0-9a-z]{1,13})-([\w-]{0,40})$/;

/** The places as clients keep them, in an order of its own. */
export function writeCursor(places: FeedPlaces): string {
  return feedNames
    .map((feed) => `${places[feed].sequence.toString(36)}-${places[feed].identity}`)
    .join(".");
}

/**
 * The places that a client has kept.
 *
 * @throws INVALID_ARGUMENT when they are none
 */
export function readCursor(cursor: string): FeedPlaces {
  const parts = cursor.split(".");
  const [catalog, pricing, reviews, changelog] = parts.map(readPlace);
  if (parts.length !== feedNames.length || !catalog || !pricing || !reviews || !changelog) {
    throw badRequest("after must be a cursor that a snapshot, or a change after it, came with.");
  }
  return { catalog, pricing, reviews, changelog };
}

function readPlace(text: string): FeedPlace | undefined {
  const [, sequence, identity] = form.exec(text) ?? [];
  if (sequence === undefined || identity === undefined) return undefined;
  // Digits of a bigint are read one by one, since no function of the language does.
  const value = Array.from(sequence).reduce(
    (sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)),
    0n,
  );
  return value < 2n ** 63n ? { sequence: value, identity } : undefined;
}
