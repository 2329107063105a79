import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { DependencyKind, HealthStatus } from "@storefront/contracts/health/v1/health_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeOnEachMigratedDatabase, everyDriver } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { brief, timeOf } from "./support/changelog-fixture.ts";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";
import { idsOf, logOffers } from "./support/logged-offers.ts";

// The model of test/e2e checks the order, pages and counts of lists.
describeOnEachMigratedDatabase("the changelog", suite, everyDriver);

function suite(testDatabase: TestDatabase): void {
  let fixture: ChangelogFixture;
  let logged: readonly Entry[];
  beforeAll(async () => {
    ({ fixture, logged } = await logOffers(testDatabase.options()));
  });
  afterAll(() => fixture.close());

  it("stores one entry for each write, with ids that ascend in commit order", () => {
    expect(logged).toHaveLength(32);
    expect(idsOf(logged)).toEqual(idsOf(logged).toSorted());
    expect(logged.slice(0, 2).map(brief)).toEqual(["offer o0 +*", "offer o1 +*"]);
    expect(logged.slice(-2).map(brief)).toEqual(["sandbox ns +*", "offer o1 ~title"]);
    expect(logged.at(-1)).toMatchObject({
      namespace: "ns",
      timestamp: timestampFromDate(timeOf(61)),
      changes: [
        {
          changeType: ChangeType.UPDATE,
          type: "string",
          oldValue: { kind: { value: "t1" } },
          newValue: { kind: { value: "new" } },
        },
      ],
    });
  });

  it.each([
    [{ contextId: "o1" }, 2],
    [{ contextType: "sandbox" }, 1],
    [{ contextType: "price" }, 0],
  ])("counts exactly within a sandbox: %o has %i", async (filter, expected) => {
    const scope = { case: "sandboxId" as const, value: "ns" };
    const { entries, totalSize } = await fixture.changelog.listEntries({ ...filter, scope });
    expect([totalSize, entries.length]).toEqual([BigInt(expected), expected]);
  });

  it("lists in log order from the first entry of a time on, so that late ones are not missed", async () => {
    const from = async (since: Date) =>
      idsOf(
        (
          await fixture.changelog.listEntriesSince({
            start: { case: "since", value: timestampFromDate(since) },
            pageSize: 50,
          })
        ).entries,
      );
    const first = logged.findIndex((entry) => timeMs(entry) >= timeOf(4).getTime());
    expect(await from(timeOf(4))).toEqual(idsOf(logged.slice(first)));
    // Includes entries that were observed before that time but committed after it.
    expect(logged.slice(first).some((entry) => timeMs(entry) < timeOf(4).getTime())).toBe(true);
    const second = await fixture.changelog.listEntriesSince({
      start: { case: "since", value: timestampFromDate(timeOf(4)) },
      page: 2,
      pageSize: 3,
    });
    expect(idsOf(second.entries)).toEqual(idsOf(logged.slice(first + 3, first + 6)));
    expect(await from(timeOf(61))).toEqual(idsOf(logged.slice(-1)));
    expect(await from(timeOf(62))).toEqual([]);
    expect(await from(timeOf(-5_000))).toEqual(idsOf(logged));
  });

  it("returns one entry, and many in the requested order without unknown ones", async () => {
    const [a, b] = idsOf(logged);
    const { entry } = await fixture.changelog.getEntry({ entryId: a ?? "" });
    expect(entry).toEqual(logged[0]);
    const { entries } = await fixture.changelog.batchGetEntries({
      entryIds: [b ?? "", "unknown", a ?? ""],
    });
    expect(idsOf(entries)).toEqual([b, a]);
  });

  it("refuses an unknown entry with NOT_FOUND", async () => {
    const failures = [
      refusalOf(fixture.changelog.getEntry({ entryId: "unknown" })),
      refusalOf(
        fixture.changelog.listEntriesSince({ start: { case: "afterEntryId", value: "unknown" } }),
      ),
      refusalOf(Array.fromAsync(fixture.changelog.watchEntries({ afterEntryId: "unknown" }))),
    ];
    for (const error of await Promise.all(failures)) {
      expect(error.code).toBe(Code.NotFound);
      expect(error.reason).toBe(ErrorReason.ENTRY_NOT_FOUND);
    }
  });

  it("is healthy while it follows the catalog, and reports its lag", async () => {
    const { dependencies } = await fixture.health.checkHealth({});
    const feed = dependencies.find(({ kind }) => kind === DependencyKind.FEED);
    expect(feed).toMatchObject({
      name: "catalog",
      status: HealthStatus.OK,
      lagEntries: 0n,
      lagSeconds: 0,
    });
  });
}

function timeMs({ timestamp }: Entry): number {
  return Number(timestamp?.seconds ?? 0n) * 1_000;
}
