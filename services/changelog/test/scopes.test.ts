import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { brief, remove, startFixture, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture, Observation } from "./support/changelog-fixture.ts";

describeOnEachMigratedDatabase("the lists of a sandbox and of an item", (testDatabase) => {
  let fixture: ChangelogFixture;
  beforeAll(async () => {
    fixture = await startFixture(testDatabase.options());
  });
  afterAll(() => fixture.close());

  // The log only grows, so every test has its own records.
  let suffix = "";
  let count = 0;
  beforeEach(() => {
    suffix = `.${++count}`;
  });
  const id = (name: string) => name + suffix;
  const offer = (n: number, name: string, namespace: string | null) =>
    upsert("offer", n, { id: id(name), namespace: namespace && id(namespace), title: `at ${n}` });
  const item = (n: number, name: string, namespace: string, appIds: string[]) =>
    upsert("item", n, {
      id: id(name),
      namespace: id(namespace),
      releaseInfo: appIds.map((appId) => ({ id: appId, appId: id(appId) })),
    });
  const build = (n: number, name: string, appName: string) =>
    upsert("build", n, { id: id(name), appName: id(appName), buildVersion: `${n}` });
  const assetKey = (artifactId: string, namespace: string) => ({
    artifactId: id(artifactId),
    platform: "Windows",
    namespace: id(namespace),
  });
  const asset = (n: number, artifactId: string, namespace: string, itemId?: string) =>
    upsert("asset", n, {
      ...assetKey(artifactId, namespace),
      downloadSizeBytes: n,
      ...(itemId === undefined ? {} : { itemId: id(itemId) }),
    });

  async function apply(...observations: Observation[]): Promise<void> {
    // One batch each, so that every write is followed separately.
    for (const each of observations) await fixture.ingest([each]);
    await fixture.caughtUp();
  }

  async function listOf(kind: "sandboxId" | "itemId", name: string): Promise<string[]> {
    const { entries, totalSize } = await fixture.changelog.listEntries({
      scope: { case: kind, value: id(name) },
      pageSize: 50,
    });
    expect(totalSize).toBe(BigInt(entries.length));
    return entries.map((entry) => brief(entry).replaceAll(suffix, ""));
  }

  it("contain the sandbox, its offers, items, assets and builds, newest first", async () => {
    await apply(
      upsert("sandbox", 1, { id: id("ns"), title: "Sandbox" }),
      offer(2, "offer", "ns"),
      item(3, "item", "ns", ["app"]),
      asset(4, "app", "ns", "item"),
      build(5, "build", "app"),
      offer(6, "elsewhere", "other"),
      offer(7, "offer", "ns"),
    );
    expect(await listOf("sandboxId", "ns")).toEqual([
      "offer offer ~title",
      "build build +*",
      "asset app +*",
      "item item +*",
      "offer offer +*",
      "sandbox ns +*",
    ]);
    expect(await listOf("itemId", "item")).toEqual([
      "build build +*",
      "asset app +*",
      "item item +*",
    ]);
  });

  it("contain a build that was imported before the item that names its application", async () => {
    await apply(build(1, "build", "app"), build(2, "build", "app"));
    expect(await listOf("sandboxId", "ns")).toEqual([]);
    await apply(item(3, "item", "ns", ["app"]));
    const expected = ["item item +*", "build build ~buildVersion", "build build +*"];
    expect(await listOf("sandboxId", "ns")).toEqual(expected);
    expect(await listOf("itemId", "item")).toEqual(expected);
  });

  it("contain a build that only an asset names, imported before or after it", async () => {
    await apply(build(1, "early", "app"), asset(2, "app", "ns"), build(3, "late", "app"));
    expect(await listOf("sandboxId", "ns")).toEqual([
      "build late +*",
      "asset app +*",
      "build early +*",
    ]);
  });

  it("contain an asset without an item under the item whose release names it", async () => {
    await apply(
      asset(1, "app", "ns"),
      item(2, "item", "ns", ["app"]),
      asset(3, "app", "ns", "second"),
    );
    expect(await listOf("itemId", "item")).toEqual(["item item +*"]);
    expect(await listOf("itemId", "second")).toEqual([
      "asset app +itemId,~downloadSizeBytes",
      "asset app +*",
    ]);
    await apply(remove("asset", 4, assetKey("app", "ns")), asset(5, "app", "ns"));
    expect(await listOf("itemId", "item")).toHaveLength(5);
  });

  it("move a record with all its entries to its present namespace", async () => {
    await apply(offer(1, "offer", "old"), offer(2, "offer", "old"), offer(3, "offer", "new"));
    expect(await listOf("sandboxId", "old")).toEqual([]);
    expect(await listOf("sandboxId", "new")).toHaveLength(3);
    await apply(offer(4, "offer", null));
    expect(await listOf("sandboxId", "new")).toEqual([]);
  });

  it("move builds together with the item that names their application", async () => {
    await apply(
      item(1, "item", "old", ["app"]),
      build(2, "build", "app"),
      item(3, "item", "new", ["app"]),
    );
    expect(await listOf("sandboxId", "old")).toEqual([]);
    expect(await listOf("sandboxId", "new")).toEqual([
      "item item ~namespace",
      "build build +*",
      "item item +*",
    ]);
    await apply(item(4, "item", "new", ["another"]), build(5, "second", "another"));
    expect((await listOf("itemId", "item")).filter((entry) => entry.startsWith("build"))).toEqual([
      "build second +*",
    ]);
  });

  it("retain a deleted record in its last namespace", async () => {
    await apply(
      offer(1, "offer", "ns"),
      remove("offer", 2, { id: id("offer") }),
      item(3, "item", "ns", ["app"]),
      remove("item", 4, { id: id("item") }),
      build(5, "build", "app"),
      remove("build", 6, { id: id("build") }),
    );
    expect(await listOf("sandboxId", "ns")).toEqual([
      "build build -*",
      "build build +*",
      "item item -*",
      "item item +*",
      "offer offer -*",
      "offer offer +*",
    ]);
    expect(await listOf("itemId", "item")).toHaveLength(4);
  });

  it("contain a build once per sandbox, however many of its records name the application", async () => {
    await apply(
      item(1, "one", "ns", ["app"]),
      item(2, "two", "ns", ["app"]),
      item(3, "three", "second", ["app"]),
      asset(4, "app", "ns", "one"),
      build(5, "build", "app"),
    );
    for (const [kind, name] of [
      ["sandboxId", "ns"],
      ["sandboxId", "second"],
      ["itemId", "one"],
      ["itemId", "two"],
      ["itemId", "three"],
    ] as const) {
      const builds = (await listOf(kind, name)).filter((entry) => entry.startsWith("build"));
      expect(builds).toEqual(["build build +*"]);
    }
  });

  it("are the same for single writes and one batch", async () => {
    const writes = (base: number) => [
      build(base, "build", "app"),
      offer(base + 1, "offer", "old"),
      item(base + 2, "item", "old", ["app"]),
      offer(base + 3, "offer", "new"),
      item(base + 4, "item", "new", ["app", "more"]),
      asset(base + 5, "more", "new", "item"),
      remove("build", base + 6, { id: id("build") }),
    ];
    await apply(...writes(1));
    const single = [await listOf("sandboxId", "new"), await listOf("itemId", "item")];
    suffix = `${suffix}.batch`;
    await fixture.ingest(writes(1));
    await fixture.caughtUp();
    expect([await listOf("sandboxId", "new"), await listOf("itemId", "item")]).toEqual(single);
    expect(single[0]).toHaveLength(7);
    expect(await listOf("sandboxId", "old")).toEqual([]);
  });
});
