const bumps = ["major", "minor", "patch"] as const;

/**
 * The version that changesets make of the product's: each says for the product, or the client that is published with it,
 * which number is raised, and the greatest counts.
 *
 * @param changesets the texts of the pending files in `.changeset`
 */
export function nextVersion(version: string, changesets: readonly string[]): string {
  const asked = new Set(changesets.flatMap(bumpsIn));
  const place = bumps.findIndex((bump) => asked.has(bump));
  if (place === -1) return version;
  const numbers = version.split(".").map(Number);
  return bumps
    .map((_, index) => (index > place ? 0 : (numbers[index] ?? 0) + Number(index === place)))
    .join(".");
}

function bumpsIn(changeset: string): string[] {
  const [, header = ""] = changeset.split(/^---$/mu);
  return Array.from(
    header.matchAll(/^["']?(?:storefront|@storefront\/client)["']?: *(\w+)$/gmu),
    ([, bump = ""]) => bump,
  );
}
