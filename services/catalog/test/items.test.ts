import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { instant, seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase("items", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      item("i1", "2020-01-01", ["App", "Other"]),
      item("i2", "2022-01-01"),
      item("i3"),
      item("i4", "2020-01-01"),
      offer("pre", "BASE_GAME", "2015-01-01", true),
      offer("dlc", "DLC", "2016-01-01"),
      offer("game-late", "BASE_GAME", "2021-01-01"),
      offer("game-early", "BASE_GAME", "2020-01-01"),
      offer("game-twin", "BASE_GAME", "2020-01-01"),
      offer("demo", "DEMO", "2010-01-01"),
      seen({
        case: "offerText",
        value: { offerId: "game-early", locale: "de-DE", title: "Spiel" },
      }),
      build("b-new", { labelName: "Live-Windows", updatedAt: instant("2024-01-01") }),
      build("b-old", {
        labelName: "Live-Windows",
        platform: "Mac",
        downloadSizeBytes: 0n,
        updatedAt: instant("2023-01-01"),
        manifest: { status: "verified", canonicalHash: "abc" },
      }),
      build("b-undated", { labelName: "staging", manifest: { status: "processing" } }),
      build("b-foreign", { appName: "Foreign", updatedAt: instant("2025-01-01") }),
      asset("WINDOWS", "elsewhere", 1n, 2n),
      asset("windows", "calluna", 10n),
      asset("Mac", "calluna", 30n, 40n),
    ]);
  });

  afterAll(() => running.stop());

  it("are listed newest first, undated ones last, with the number of all", async () => {
    const first = await running.catalog.listItems({ pageSize: 3 });
    expect(first.items.map(({ id }) => id)).toEqual(["i2", "i1", "i4"]);
    const second = await running.catalogOverGrpc.listItems({ pageSize: 3, page: 2 });
    expect(second.items.map(({ id }) => id)).toEqual(["i3"]);
    const third = await running.catalog.listItems({ pageSize: 3, page: 3 });
    expect([third.items, first.totalSize, second.totalSize, third.totalSize]).toEqual([
      [],
      4n,
      4n,
      4n,
    ]);
  });

  it("are given by id and in batches in the order asked for", async () => {
    expect((await running.catalog.getItem({ itemId: "i1" })).item?.id).toBe("i1");
    const { items } = await running.catalog.batchGetItems({ itemIds: ["i4", "none", "i1", "i4"] });
    expect(items.map(({ id }) => id)).toEqual(["i4", "i1"]);
  });

  it("are NOT_FOUND by ITEM_NOT_FOUND when unknown", async () => {
    for (const call of [
      () => running.catalog.getItem({ itemId: "none" }),
      () => running.catalog.listItemBuilds({ itemId: "none" }),
    ]) {
      expect(await refusalOf(call())).toMatchObject({
        code: Code.NotFound,
        reason: ErrorReason.ITEM_NOT_FOUND,
        metadata: { itemId: "none" },
      });
    }
  });

  it("are stood for by an offer on sale, by type, then the earliest, then id", async () => {
    const answer = await running.catalog.getItemOffer({ itemId: "i1", locale: "de-DE" });
    expect(answer.offer?.id).toBe("game-early");
    expect(answer.text?.title).toBe("Spiel");
  });

  it("are NOT_FOUND by ITEM_WITHOUT_OFFER when no offer holds them", async () => {
    expect(await refusalOf(running.catalog.getItemOffer({ itemId: "i2" }))).toMatchObject({
      code: Code.NotFound,
      reason: ErrorReason.ITEM_WITHOUT_OFFER,
      metadata: { itemId: "i2" },
    });
  });

  it("have the builds of their applications, newest first, completed by labels and assets", async () => {
    const { builds, item: ofItem } = await running.catalog.listItemBuilds({ itemId: "i1" });
    expect(ofItem?.id).toBe("i1");
    expect(builds.map(({ build: stored }) => stored?.id)).toEqual(["b-new", "b-old", "b-undated"]);
    expect(builds[0]).toMatchObject({
      platform: "Windows",
      downloadSizeBytes: 10n,
      installedSizeBytes: 2n,
      manifestStatus: "legacy_unverified",
      comparable: false,
      sameStream: true,
    });
    expect(builds[1]).toMatchObject({
      platform: "Mac",
      downloadSizeBytes: 0n,
      installedSizeBytes: 40n,
      manifestStatus: "verified",
      comparable: true,
      sameStream: true,
    });
    expect(builds[2]).toMatchObject({ manifestStatus: "processing", sameStream: false });
    expect(builds[2]?.platform).toBeUndefined();
    expect(builds[2]?.downloadSizeBytes).toBeUndefined();
  });

  it("have no builds when they have no applications", async () => {
    const { builds } = await running.catalog.listItemBuilds({ itemId: "i2" });
    expect(builds).toEqual([]);
  });
});

type Value<Case extends string> = Extract<Parameters<typeof seen>[0], { case: Case }>["value"];

function item(id: string, modified?: string, appIds: string[] = []) {
  return seen({
    case: "item",
    value: {
      id,
      namespace: "calluna",
      releaseInfo: appIds.map((appId) => ({ appId })),
      ...(modified !== undefined && { lastModifiedDate: instant(modified) }),
    },
  });
}

function offer(id: string, offerType: string, created: string, prePurchase?: boolean) {
  return seen({
    case: "offer",
    value: {
      id,
      offerType,
      creationDate: instant(created),
      items: [{ id: "i1" }],
      ...(prePurchase !== undefined && { prePurchase }),
    },
  });
}

function build(id: string, members: Value<"build">) {
  return seen({ case: "build", value: { appName: "App", ...members, id } });
}

function asset(platform: string, namespace: string, download: bigint, installed?: bigint) {
  return seen({
    case: "asset",
    value: {
      artifactId: "App",
      platform,
      namespace,
      downloadSizeBytes: download,
      ...(installed !== undefined && { installedSizeBytes: installed }),
    },
  });
}
