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

describeOnEachMigratedDatabase("the changelog", suite, everyDriver);

function suite(testDatabase: TestDatabase): void {
  let fixture: ChangelogFixture;
  let logged: readonly Entry[];
  beforeAll(async () => {
    ({ fixture, logged } = await logOffers(testDatabase.options()));
  });
  afterAll(() => fixture.close());

  const newestFirst = (entries: readonly Entry[]) =>
    entries.toSorted((a, b) => timeMs(b) - timeMs(a) || (a.id < b.id ? -1 : 1));

  it("holds one entry for each write, with ids that ascend in the order of commit", () => {
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

  it("lists newest first, ties by id, in pages that neither overlap nor skip", async () => {
    const pages: Entry[] = [];
    for (let page = 1; page <= 5; page++) {
      const { entries, totalSize } = await fixture.changelog.listEntries({
        page,
        pageSize: 7,
        contextType: "offer",
      });
      expect(totalSize).toBe(31n);
      pages.push(...entries);
    }
    expect(idsOf(pages)).toEqual(
      idsOf(newestFirst(logged.filter(({ contextType }) => contextType === "offer"))),
    );
  });

  it.each([
    [{}, 32],
    [{ contextType: "sandbox" }, 1],
    [{ contextType: "price" }, 0],
    [{ contextId: "o1" }, 2],
    [{ contextId: "o1", contextType: "offer" }, 2],
    [{ contextId: "o1", contextType: "item" }, 0],
    [{ contextId: "nobody" }, 0],
    [{ scope: { case: "sandboxId" as const, value: "ns" } }, 32],
    [{ scope: { case: "sandboxId" as const, value: "ns" }, contextId: "o1" }, 2],
    [{ scope: { case: "sandboxId" as const, value: "ns" }, contextType: "sandbox" }, 1],
    [{ scope: { case: "sandboxId" as const, value: "nowhere" } }, 0],
    [{ scope: { case: "itemId" as const, value: "ns" } }, 0],
  ])("counts exactly: %o has %i", async (filter, expected) => {
    const { entries, totalSize } = await fixture.changelog.listEntries({ ...filter, pageSize: 50 });
    expect([totalSize, entries.length]).toEqual([BigInt(expected), expected]);
    expect(idsOf(entries)).toEqual(idsOf(newestFirst(entries)));
  });

  it("gives an empty page with the true total past the end, and lowers a page size over the cap", async () => {
    expect(await fixture.changelog.listEntries({ page: 9, pageSize: 10 })).toMatchObject({
      entries: [],
      totalSize: 32n,
    });
    const { entries } = await fixture.changelog.listEntries({ pageSize: 1_000 });
    expect(entries).toHaveLength(32);
    expect((await fixture.changelog.listEntries({})).entries).toHaveLength(10);
  });

  it("lists in the order of the log from the first entry of a time on, so that a late one is not missed", async () => {
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
    // Entries that were seen before that time but committed after it are there.
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

  it("lists what follows an entry, page by page", async () => {
    const start = { case: "afterEntryId" as const, value: logged[4]?.id ?? "" };
    const first = await fixture.changelog.listEntriesSince({ start, page: 1, pageSize: 20 });
    const second = await fixture.changelog.listEntriesSince({ start, page: 2, pageSize: 20 });
    expect(idsOf([...first.entries, ...second.entries])).toEqual(idsOf(logged.slice(5)));
  });

  it("gives one entry, and many in the order asked for without the unknown", async () => {
    const [a, b] = idsOf(logged);
    const { entry } = await fixture.changelog.getEntry({ entryId: a ?? "" });
    expect(entry).toEqual(logged[0]);
    const { entries } = await fixture.changelog.batchGetEntries({
      entryIds: [b ?? "", "unknown", a ?? ""],
    });
    expect(idsOf(entries)).toEqual([b, a]);
  });

  it("says NOT_FOUND of an unknown entry", async () => {
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

  it("is healthy while it follows the catalog, and tells its lag", async () => {
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
