import { compareCodePoints } from "@storefront/database";

/** A technology found in a build. */
export interface Technology {
  section?: string | undefined;
  technology?: string | undefined;
}

/**
 * Named technologies, each pair of section and name once, ordered by section, then name, ascending
 * by code point; those without a section come last.
 */
export function distinctTechnologies<T extends Technology>(technologies: readonly T[]): T[] {
  const bySectionAndName = new Map<string, T>();
  for (const technology of technologies) {
    if (technology.technology === undefined) continue;
    const key = JSON.stringify([technology.section, technology.technology]);
    if (!bySectionAndName.has(key)) bySectionAndName.set(key, technology);
  }
  return [...bySectionAndName.values()].toSorted(
    (a, b) =>
      compareSections(a.section, b.section) ||
      compareCodePoints(a.technology ?? "", b.technology ?? ""),
  );
}

function compareSections(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareCodePoints(a, b);
}
