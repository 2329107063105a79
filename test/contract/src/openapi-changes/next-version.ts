const bumps = ["major", "minor", "patch"] as const;

/**
 * The version after the pending changesets. Each says for the product, or the client that is published with it, which
 * number to raise, and the greatest counts. A version between releases, such as 0.2.1-dev.0, comes before the one
 * without its suffix, so a patch turns it into 0.2.1.
 *
 * @param changesets the texts of the pending files in `.changeset`
 */
export function nextVersion(version: string, changesets: readonly string[]): string {
  const asked = new Set(changesets.flatMap(bumpsIn));
  const raised = bumps.findIndex((bump) => asked.has(bump));
  if (raised === -1) return version;
  const [release = "", suffix] = version.split("-");
  const numbers = release.split(".").map(Number);
  const isToCome =
    suffix !== undefined && numbers.slice(raised + 1).every((number) => number === 0);
  return bumps
    .map((_, index) =>
      index > raised ? 0 : (numbers[index] ?? 0) + Number(index === raised && !isToCome),
    )
    .join(".");
}

function bumpsIn(changeset: string): string[] {
  const [, header = ""] = changeset.split(/^---$/mu);
  return Array.from(
    header.matchAll(/^["']?(?:storefront|@storefront\/client)["']?: *(\w+)$/gmu),
    ([, bump = ""]) => bump,
  );
}
