import { startPostgres, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";

/** A stack of its own on a PostgreSQL server of its own. */
export interface PostgresStack {
  /** The services, and a gateway with its defaults. */
  stack: TestStack;
  databaseUrl: string;
  /** For ingest. */
  token: string;
  stop(): Promise<void>;
}

const token = "a token for the bench only";

/**
 * Starts both.
 *
 * @param variables of the stack, in addition to those that it needs
 * @param parameters of `start`; default an empty stack
 */
export async function startPostgresStack(
  variables: Readonly<Record<string, string>> = {},
  parameters?: readonly string[],
): Promise<PostgresStack> {
  const postgres = await startPostgres();
  const databaseUrl = postgres.url;
  try {
    const env = { ...variables, DATABASE_URL: databaseUrl, INGEST_TOKEN: token };
    const stack = await startStack({ env, ...(parameters && { parameters }) });
    return {
      stack,
      databaseUrl,
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
