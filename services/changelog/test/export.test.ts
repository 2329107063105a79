import { ingestToken } from "@storefront/service-process/testing";
import { toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { ExportChangelogResponseSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { ChangelogObservation } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { createGrpcTransport } from "@storefront/rpc";
import { backUpSchema, memoryDatabase, restoreSchema } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { once } from "@storefront/service-process/testing/calls";
import { brief, remove, startFixture, timeOf, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture, Observation } from "./support/changelog-fixture.ts";
import { isAtTheEnd } from "./support/changelog-state.ts";

const typed = { $typeName: "storefront.changelog.v1.ExportChangelogResponse" } as const;
const { RESTORE } = ObservationOperation;

let origin: ChangelogFixture;
let copy: ChangelogFixture;
let exported: ChangelogObservation[];
/** Outcomes of the first restore. */
let outcomes: IngestOutcome[];

beforeAll(async () => {
  const start = async () => await startFixture(await memoryDatabase("schemas"));
  [origin, copy] = await Promise.all([start(), start()]);
  const asset = { artifactId: "app", platform: "Windows", namespace: "ns", itemId: "i1" };
  await origin.ingest([
    upsert("sandbox", 1, { id: "ns", title: "Sandbox" }),
    upsert("offer", 2, { id: "o1", namespace: "ns", title: "One" }),
    upsert("item", 3, { id: "i1", namespace: "ns", releaseInfo: [{ id: "r", appId: "app" }] }),
    upsert("item", 3, { id: "i2", namespace: "ns", releaseInfo: [{ id: "r", appId: "old" }] }),
    upsert("asset", 4, asset),
    upsert("build", 5, { id: "b1", appName: "app", buildVersion: "1" }),
    upsert("build", 6, { id: "b2", appName: "old", buildVersion: "1" }),
    // Moved and deleted records are in the lists of their present or last namespace, with their history.
    upsert("offer", 7, { id: "o1", namespace: "other", title: "One" }),
    remove("item", 8, { id: "i2" }),
    remove("build", 9, { id: "b2" }),
  ]);
  await origin.caughtUp();
  await foreign(origin, { id: "f1", contextType: "offer", contextId: "o1" });
  await foreign(origin, { id: "f2", contextType: "achievement", contextId: "a", namespace: "ns" });
  await origin.ingest([upsert("offer", 10, { id: "o2", namespace: "ns", title: "Two" })]);

  exported = await exportOf(origin);
  await copy.ingest(await catalogOf(origin));
  await copy.caughtUp();
  outcomes = await restore(copy, exported);
});
afterAll(() => Promise.all([origin.close(), copy.close()]));

async function foreign(
  { foreign: client }: ChangelogFixture,
  entry: { id: string; contextType: string; contextId: string; namespace?: string },
): Promise<void> {
  const changes = [{ changeType: ChangeType.INSERT, field: "x", type: "null" }];
  const entries = [{ ...entry, timestamp: timestampFromDate(timeOf(5)), changes }];
  for await (const response of client.ingestEntries(once({ entries }))) {
    if (response.rejections.length > 0) throw new Error(response.rejections[0]?.reason);
  }
}

async function exportOf({ foreign: client }: ChangelogFixture): Promise<ChangelogObservation[]> {
  const observations: ChangelogObservation[] = [];
  for await (const batch of client.exportChangelog({})) observations.push(...batch.observations);
  return observations;
}

async function restore(
  { foreign: client }: ChangelogFixture,
  observations: readonly ChangelogObservation[],
  isMirrored = false,
): Promise<IngestOutcome[]> {
  const results: IngestOutcome[] = [];
  const request = { observations: [...observations], isMirrored };
  for await (const response of client.ingestChangelog(once(request)))
    results.push(...response.outcomes);
  return results;
}

/** The records of a catalog, to be restored. */
async function catalogOf({ catalogGrpcAddress }: ChangelogFixture): Promise<Observation[]> {
  const transport = createGrpcTransport({ address: catalogGrpcAddress, token: ingestToken });
  const observations: Observation[] = [];
  for await (const batch of createClient(CatalogIngestService, transport).exportCatalog({})) {
    observations.push(...batch.observations);
  }
  await transport.close();
  return observations.map((each) =>
    each.operation === ObservationOperation.UPSERT ? { ...each, operation: RESTORE } : each,
  );
}

it("an export has every entry, including the last ones", () => {
  const ids = exported.flatMap(({ record }) => (record.case === "entry" ? [record.value.id] : []));
  expect(ids).toHaveLength(13);
  expect(new Set(ids).size).toBe(13);
});

it("a snapshot of the feed has the content of an export, and the records of entries", async () => {
  const messages = await Array.fromAsync(origin.feed.readSnapshot({ withPast: true }));
  const given = messages.flatMap(({ entries }) => entries);
  const expected = exported.map(({ record }) => {
    if (record.case !== "entry") {
      const { type = "", key = [] } = record.value ?? {};
      return { kind: "entrySubject", key: [type, ...key] };
    }
    const { id, contextId, key } = record.value;
    const isForeign = /^f\d$/.test(id);
    const subjectKey = key.length > 0 ? key : [contextId];
    return { kind: "entry", key: [id], subjectKey: isForeign ? [] : subjectKey };
  });
  expect(given).toMatchObject(expected);
  expect(given).toHaveLength(expected.length);
});

it("an export is restored completely, except what the restored catalog has already reported", () => {
  for (const [index, { record }] of exported.entries()) {
    const { WRITTEN, UNCHANGED } = IngestOutcome;
    const allowed = record.case === "entry" ? [WRITTEN] : [WRITTEN, UNCHANGED];
    expect(allowed).toContain(outcomes[index]);
  }
});

it.each([
  {},
  { contextType: "asset" },
  { contextId: "o1" },
  { scope: { case: "sandboxId" as const, value: "ns" } },
  { scope: { case: "sandboxId" as const, value: "other" } },
  { scope: { case: "itemId" as const, value: "i1" } },
  { scope: { case: "itemId" as const, value: "i2" } },
])("a changelog that is restored beside its catalog returns the same lists: %o", async (filter) => {
  const request = { ...filter, pageSize: 50 };
  const expected = await origin.changelog.listEntries(request);
  expect(expected.totalSize).toBeGreaterThan(0n);
  expect(await copy.changelog.listEntries(request)).toEqual(expected);
});

it("a restored log has the same order and ids", async () => {
  const expected = await origin.changelog.listEntriesSince({ pageSize: 50 });
  expect(await copy.changelog.listEntriesSince({ pageSize: 50 })).toEqual(expected);
  const afterEntryId = expected.entries[4]?.id ?? "";
  const request = { start: { case: "afterEntryId" as const, value: afterEntryId }, pageSize: 50 };
  expect(await copy.changelog.listEntriesSince(request)).toEqual(
    await origin.changelog.listEntriesSince(request),
  );
});

it("a second export is equal to the byte, and a second restore changes nothing", async () => {
  const bytes = (observations: ChangelogObservation[]) =>
    Buffer.from(toBinary(ExportChangelogResponseSchema, { observations, ...typed }));
  const again = await exportOf(copy);
  expect(bytes(again).equals(bytes(exported))).toBe(true);
  expect(new Set(await restore(copy, exported))).toEqual(new Set([IngestOutcome.UNCHANGED]));
});

it("later writes make entries, and undoing those that the catalog loses removes no restored entry", async () => {
  const lists = async () =>
    await Promise.all(
      [
        { scope: { case: "sandboxId" as const, value: "ns" } },
        { scope: { case: "itemId" as const, value: "i1" } },
      ].map((filter) => copy.changelog.listEntries({ ...filter, pageSize: 50 })),
    );
  const before = await lists();
  await backUpSchema(copy.database, "catalog");
  const asset = { artifactId: "app", platform: "Windows", namespace: "ns", itemId: "i1" };
  await copy.ingest([
    upsert("asset", 20, { ...asset, title: "Later" }),
    upsert("item", 21, { id: "i1", namespace: "elsewhere" }),
  ]);
  await copy.caughtUp();
  const { entries } = await copy.changelog.listEntriesSince({ pageSize: 50 });
  expect(entries.slice(13).map(brief)).toEqual([
    "asset app +title",
    "item i1 ~namespace,-releaseInfo",
  ]);

  await restoreSchema(copy.database, "catalog");
  await copy.ingest([upsert("offer", 22, { id: "o9", namespace: "else", title: "Nine" })]);
  await expect.poll(() => isAtTheEnd(copy.database), { timeout: 30_000, interval: 20 }).toBe(true);
  expect(await lists()).toEqual(before);
});

it("the local catalog decides the namespace of a record, and another stack that of its mirror", async () => {
  const [gone] = exported.filter(
    ({ record: { case: kind, value } }) => kind === "entrySubject" && value.key[0] === "i2",
  );
  if (gone?.record.case !== "entrySubject") throw new Error("the item is missing in the export");
  const { value } = gone.record;
  const moved = {
    case: "entrySubject" as const,
    value: { ...value, namespace: "where it was last" },
  };
  const listed = async () => {
    const scope = { case: "sandboxId" as const, value: "where it was last" };
    return (await copy.changelog.listEntries({ scope, pageSize: 50 })).totalSize;
  };
  const { UNCHANGED, WRITTEN } = IngestOutcome;
  expect(await restore(copy, [{ ...gone, record: moved }])).toEqual([UNCHANGED]);
  expect(await listed()).toBe(0n);
  expect(await restore(copy, [{ ...gone, record: moved }], true)).toEqual([WRITTEN]);
  // Its entries, and those of the build of its application.
  expect(await listed()).toBe(4n);
});
