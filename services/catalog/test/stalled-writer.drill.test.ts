import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { lockWriters } from "@storefront/database";
import { errorInfoOf } from "@storefront/rpc";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase(
  "a writer that stalls while it holds the writers' lock",
  (database) => {
    let running: RunningCatalog;
    let stalling: RunningCatalog;
    beforeAll(async () => {
      running = await startCatalog({ ...database.options(), lockTimeoutMs: 300 });
      stalling = await startCatalog({ ...database.options(), idleTransactionTimeoutMs: 2000 });
    });
    afterAll(async () => {
      await running.stop();
      await stalling.stop();
    });

    it("is told to the others as what passes, and is ended by the server", async () => {
      const sandbox = seen({ case: "sandbox", value: { id: "quiet", title: "Quiet" } });
      const stalled = stalling.database.transaction(async (tx) => {
        await lockWriters(tx, "catalog");
        const error: unknown = await running.ingest([sandbox]).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: Code.Unavailable });
        expect(errorInfoOf(error)?.reason).toBe(ErrorReason.LOCK_TIMEOUT);
        await vi.waitUntil(() => running.ingest([sandbox]).catch(() => false), { timeout: 15_000 });
        await tx.read("select 1");
      });
      await expect(stalled).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    });
  },
  ["postgres"],
);
