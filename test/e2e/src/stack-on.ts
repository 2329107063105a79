import type { TestDatabase } from "@storefront/testkit";

/** Variables that put a stack on a test's database; PGlite is what a stack has without any. */
export function variablesFor(database: TestDatabase): Record<string, string> {
  if (database.driver === "pglite") return {};
  const { url, pooler } = database.options();
  return { DATABASE_URL: url, ...(pooler === undefined ? {} : { DATABASE_POOLER: pooler }) };
}
