/** Members that hold a time, wherever they occur; only these are compared as instants. */
const timeMembers = new Set([
  "createdAt",
  "creationDate",
  "dateAdded",
  "effectiveDate",
  "firstSeenAt",
  "lastModifiedDate",
  "lastSeenAt",
  "pcReleaseDate",
  "processedAt",
  "releaseDate",
  "updated",
  "updatedAt",
  "viewableDate",
]);

/**
 * Normalizes the known parts of a value: members in the order of their names, without those that are
 * null, absent or empty; undefined when nothing is left. An empty string is known.
 *
 * @param member the member that holds the value.
 */
export function known(value: unknown, member = ""): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((element) => known(element, member));
  }
  if (typeof value === "object") {
    const members = Object.entries(value)
      .map(([name, inner]) => [name, known(inner, name)] as const)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  const isTime = typeof value === "string" && timeMembers.has(member);
  return isTime ? new Date(value).toISOString() : value;
}
