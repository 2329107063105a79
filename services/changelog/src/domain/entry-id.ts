const prefix = "catalog-";

/** Digits of a sequence in hexadecimal; 52 bits. */
const digits = 13;

const ownForm = new RegExp(`^${prefix}[0-9a-f]{${digits}}$`);

/**
 * The id of the entry that the catalog's write with this sequence makes: the same however often the
 * feed is read, and ascending by code point in the order of commit.
 */
export function entryIdOf(sequence: bigint): string {
  return prefix + sequence.toString(16).padStart(digits, "0");
}

/** Whether an id has the form of this system's own, which foreign entries may not take. */
export function isOwnEntryId(id: string): boolean {
  return ownForm.test(id);
}
