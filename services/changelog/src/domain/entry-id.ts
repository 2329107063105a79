import type { LogPosition } from "@storefront/change-feed";

const prefix = "catalog-";

/** Digits of a sequence in hexadecimal. */
const digits = 13;

/** The last sequence that an id has room for. */
export const lastSequence = 2n ** 52n - 1n;

const ownForm = new RegExp(`^${prefix}([0-9a-f]{${digits}})(?:-([^-]*)(-[0-9a-f]{${digits}})?)?$`);

/** The same for PostgreSQL. */
export const ownIdPattern = `^${prefix}[0-9a-f]{${digits}}(-[^-]*(-[0-9a-f]{${digits}})?)?$`;

/** Ids of entries that were made from a snapshot, for PostgreSQL. */
export const snapshotIdPattern = `^${prefix}[0-9a-f]{${digits}}-[^-]*-[0-9a-f]{${digits}}$`;

/** The parts of the id of a canonical entry. */
export interface OwnEntryId extends LogPosition {
  /** Whether it was made from a snapshot at that position of the log, not from the write there. */
  readonly isOfSnapshot: boolean;
}

/**
 * The id of the entry of the catalog's write at this position: the same however often the feed is read, ascending by
 * code point in commit order, and different from that of a write with the same sequence in a lost history.
 */
export function entryIdOf({ sequence, identity }: LogPosition): string {
  const id = firstIdAt(sequence);
  return identity === "" ? id : `${id}-${identity}`;
}

/**
 * The id of an entry that is made from a snapshot at this position of the log.
 *
 * @param place its position in the changelog, by which the ids of a snapshot differ and ascend.
 */
export function snapshotEntryIdOf(position: LogPosition, place: bigint): string {
  return snapshotIdPrefix(position) + hex(place);
}

/** What the ids of a snapshot's entries begin with. */
export function snapshotIdPrefix({ sequence, identity }: LogPosition): string {
  return `${firstIdAt(sequence)}-${identity}-`;
}

/** The least id that an entry of this sequence may have. */
function firstIdAt(sequence: bigint): string {
  return prefix + hex(sequence);
}

/** Greater than every id up to this sequence, but not than those of later ones. */
export function idAfter(sequence: bigint): string {
  return sequence < lastSequence ? firstIdAt(sequence + 1n) : `${prefix}g`;
}

/** The parts of an id of this system's own; undefined for an id of a foreign entry. */
export function readOwnEntryId(id: string): OwnEntryId | undefined {
  const [, sequence, identity = "", place] = ownForm.exec(id) ?? [];
  if (sequence === undefined) return undefined;
  return { sequence: BigInt(`0x${sequence}`), identity, isOfSnapshot: place !== undefined };
}

/** Whether an id has the form of this system's own, which foreign entries may not take. */
export function isOwnEntryId(id: string): boolean {
  return readOwnEntryId(id) !== undefined;
}

function hex(number: bigint): string {
  return number.toString(16).padStart(digits, "0");
}
