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

/** Starts both. */
export async function startPostgresStack(): Promise<PostgresStack> {
  const postgres = await startPostgres();
  try {
    const env = { DATABASE_URL: postgres.url, INGEST_TOKEN: token };
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
