import type { TestDatabase } from "@storefront/testkit";

/** Variables that put a stack on a test's database; PGlite is what a stack has without any. */
export function variablesFor(database: TestDatabase): Record<string, string> {
  return database.driver === "pglite" ? {} : { DATABASE_URL: database.options().url };
}
