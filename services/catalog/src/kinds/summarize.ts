/** The members that are known, as the changelog's summary of a whole record. */
export function summarize(
  members: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const known = Object.entries(members).filter(
    (member): member is [string, string] => member[1] !== undefined,
  );
  return Object.fromEntries(known);
}
