import type { DatabaseDriver } from "./database.ts";

const driverByScheme = new Map<string, DatabaseDriver>([
  ["pglite", "pglite"],
  ["postgres", "postgres"],
  ["postgresql", "postgres"],
  ["neon", "neon"],
]);

/**
 * The driver of a database's URL; undefined when there is none for it.
 *
 * @param asked instead of the one that the URL implies: PGlite's URLs need PGlite; the others need a server, which Neon's
 * driver reaches by either URL
 */
export function driverOf(url: string, asked?: string): DatabaseDriver | undefined {
  const implied = driverByScheme.get(url.slice(0, Math.max(url.indexOf(":"), 0)));
  if (asked === undefined || asked === implied) return implied;
  return asked === "neon" && implied === "postgres" ? "neon" : undefined;
}
