import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { describeOnEachMigratedDatabase, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { variablesFor } from "./stack-on.ts";

const path = "/search/9e107d9d372bb6826bd81d3542a419d6";

describeOnEachMigratedDatabase(
  "a client that disconnects",
  (testDatabase) => {
    let stack: TestStack;
    let database: Database;
    beforeAll(async () => {
      const env = {
        ...variablesFor(testDatabase),
        // Long enough that no request reaches its deadline.
        REQUEST_TIMEOUT_MS: "60000",
      };
      stack = await startStack({ parameters: ["--empty"], env });
      database = await openDatabase(testDatabase.options());
    });
    afterAll(async () => {
      await database.close();
      await stack.stop();
    });

    /** Statements of the search that wait for a lock. */
    const waiting = async () => {
      const [found] = await database.read<{ waiting: number }>(
        `select count(*)::int as waiting from pg_locks
         where not granted and relation = 'search.saved_query'::regclass`,
      );
      return found?.waiting;
    };

    it("cancels the statement that its request waits for", async () => {
      await database.transaction(async (tx) => {
        await tx.script("lock table search.saved_query in access exclusive mode");
        const client = new AbortController();
        const { signal } = client;
        const outcome = Promise.allSettled([fetch(`${stack.gatewayUrl}${path}`, { signal })]);
        await vi.waitUntil(async () => (await waiting()) === 1, { timeout: 10_000 });
        client.abort();
        expect(await outcome).toMatchObject([{ status: "rejected" }]);
        await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 10_000 });
      });
      expect((await fetch(`${stack.gatewayUrl}${path}`)).status).toBe(404);
    });
  },
  ["postgres"],
);
