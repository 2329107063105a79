import type { DatabaseDriver } from "./database-options.ts";

const driverByScheme = new Map<string, DatabaseDriver>([
  ["pglite", "pglite"],
  ["postgres", "postgres"],
  ["postgresql", "postgres"],
  ["neon", "neon"],
]);

/**
 * The driver of a database's URL; undefined when there is none for it.
 *
 * @param requested instead of the one that the URL implies: PGlite's URLs need PGlite; the others need a server, which Neon's
 * driver reaches by either URL
 */
export function driverOf(url: string, requested?: string): DatabaseDriver | undefined {
  const implied = driverByScheme.get(url.slice(0, Math.max(url.indexOf(":"), 0)));
  if (requested === undefined || requested === implied) return implied;
  return requested === "neon" && implied === "postgres" ? "neon" : undefined;
}

/** Whether the database is on Neon, which suspends a compute that was not used for five minutes. */
export function isNeonUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.endsWith(".neon.tech");
}

/** Whether the URL is of Neon's pooler: a PgBouncer in transaction mode that knows prepared statements. */
export function isNeonPoolerUrl(url: string): boolean {
  return directUrl(url) !== url;
}

/** The URL without Neon's pooler, whose host is that of the compute with `-pooler` after its first part. */
export function directUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const direct = new URL(url);
  const hostname = direct.hostname.replace(/^([^.]+)-pooler(?=\.|$)/, "$1");
  if (hostname === direct.hostname) return url;
  direct.hostname = hostname;
  return direct.href;
}
