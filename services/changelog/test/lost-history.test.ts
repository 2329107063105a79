import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { backUpSchema, describeOnEachMigratedDatabase, restoreSchema } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EntryLog } from "../src/store/entry-log.ts";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { startFixture, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture, Observation } from "./support/changelog-fixture.ts";
import { isAtTheEnd } from "./support/changelog-state.ts";

describeOnEachMigratedDatabase(
  "a changelog whose catalog was restored from a backup",
  (testDatabase) => {
    let fixture: ChangelogFixture;
    beforeAll(async () => {
      fixture = await startFixture(testDatabase.options());
    });
    afterAll(() => fixture.close());

    const offers = (prefix: string, count: number, from: number): Observation[] =>
      Array.from({ length: count }, (_, n) =>
        upsert("offer", from + n, { id: `${prefix}${n}`, namespace: "ns", title: prefix }),
      );
    const agreed = async () => {
      const options = { timeout: 30_000, interval: 20 };
      await expect.poll(() => isAtTheEnd(fixture.database), options).toBe(true);
    };
    const listed = async () => await fixture.changelog.listEntriesSince({ pageSize: 50 });
    const ids = (entries: readonly { contextId: string }[]) =>
      entries.map(({ contextId }) => contextId);

    it("has every later write, and none of the lost ones", async () => {
      await fixture.ingest(offers("kept", 20, 0));
      await backUpSchema(fixture.database, "catalog");
      await fixture.ingest(offers("lost", 10, 100));
      await fixture.caughtUp();
      const { entries: before } = await listed();
      const afterEntryId = before.at(-1)?.id ?? "";
      const stream = fixture.changelog.watchEntries({ afterEntryId }, { timeoutMs: 30_000 });
      const watching = stream[Symbol.asyncIterator]();
      await watching.next();
      await restoreSchema(fixture.database, "catalog");
      await fixture.ingest(offers("new", 12, 200));
      await agreed();
      const { entries: after } = await listed();
      const remaining = [...offers("kept", 20, 0), ...offers("new", 12, 200)];
      expect(ids(after)).toEqual(remaining.map(({ record }) => contextIdOf(record)));
      expect(after.slice(0, 20)).toEqual(before.slice(0, 20));

      // Clients that have received a lost entry are notified, also while they wait for the next one.
      const refused = await Promise.all([
        refusalOf(readToTheEnd(watching)),
        refusalOf(
          fixture.changelog.listEntriesSince({
            start: { case: "afterEntryId", value: afterEntryId },
          }),
        ),
      ]);
      for (const error of refused) {
        expect(error.code).toBe(Code.FailedPrecondition);
        expect(error.reason).toBe(ErrorReason.ENTRY_UNDONE);
      }
      const { entries: next } = await fixture.changelog.listEntriesSince({
        start: { case: "afterEntryId", value: before[19]?.id ?? "" },
        pageSize: 50,
      });
      expect(ids(next)).toEqual(ids(after.slice(20)));
    });

    it("returns every line of its log to followers, wherever they resume", async () => {
      const log = new EntryLog(fixture.database);
      const { entries: lines } = await log.read(0n);
      expect(lines.filter(({ entry }) => entry === null)).toHaveLength(10);
      for (const [index, { position }] of lines.entries()) {
        const { entries: rest } = await log.read(position);
        expect(rest.map(({ id }) => id)).toEqual(lines.slice(index + 1).map(({ id }) => id));
      }
    });
  },
  ["pglite", "postgres"],
);

function contextIdOf(record: Observation["record"]): string | undefined {
  return record?.case === "offer" ? record.value.id : undefined;
}

async function readToTheEnd(stream: AsyncIterator<unknown>): Promise<void> {
  while ((await stream.next()).done !== true);
}
