import { startPostgres, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";

/** An empty stack of its own on a PostgreSQL server of its own. */
export interface PostgresStack {
  stack: TestStack;
  /** For ingest. */
  token: string;
  stop(): Promise<void>;
}

const token = "a token for the bench only";

/**
 * Starts both.
 *
 * @param variables of the stack, beside those that it needs
 */
export async function startPostgresStack(
  variables: Readonly<Record<string, string>> = {},
): Promise<PostgresStack> {
  const postgres = await startPostgres();
  try {
    const env = { ...variables, DATABASE_URL: postgres.url, INGEST_TOKEN: token };
    const stack = await startStack({ env });
    return {
      stack,
      token,
      async stop() {
        await stack.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
