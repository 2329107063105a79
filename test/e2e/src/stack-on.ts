import type { TestDatabase } from "@storefront/testkit";

/** Variables that connect a stack to a test's database; without any, a stack uses PGlite. */
export function variablesFor(database: TestDatabase): Record<string, string> {
  if (database.driver === "pglite") return {};
  const { url, pooler } = database.options();
  return { DATABASE_URL: url, ...(pooler === undefined ? {} : { DATABASE_POOLER: pooler }) };
}
