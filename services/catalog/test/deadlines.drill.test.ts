import { Code } from "@connectrpc/connect";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

/** As many as the pool has connections. */
const callCount = 10;

describeOnEachMigratedDatabase(
  "calls whose deadline passes while the database is busy",
  (database) => {
    let running: RunningCatalog;
    let locking: RunningCatalog;
    beforeAll(async () => {
      running = await startCatalog(database.options());
      locking = await startCatalog(database.options());
      await running.ingest([seen({ case: "sandbox", value: { id: "quiet", title: "Quiet" } })]);
    });
    afterAll(async () => {
      await running.stop();
      await locking.stop();
    });

    it.each(["catalog", "catalogOverGrpc"] as const)(
      "leave the connections to others (%s)",
      async (port) => {
        const { [port]: catalog } = running;
        await locking.database.transaction(async (tx) => {
          await tx.script("lock table catalog.offer in access exclusive mode");
          const late = await Promise.allSettled(
            Array.from({ length: callCount }, () =>
              catalog.countOffersBySeller({}, { timeoutMs: 100 }),
            ),
          );
          expect(late).toEqual(
            Array(callCount).fill(
              expect.objectContaining({
                reason: expect.objectContaining({ code: Code.DeadlineExceeded }),
              }),
            ),
          );
          const { sandbox } = await catalog.getSandbox({ sandboxId: "quiet" }, { timeoutMs: 5000 });
          expect(sandbox).toMatchObject({ title: "Quiet" });
        });
      },
    );
  },
  ["postgres"],
);
