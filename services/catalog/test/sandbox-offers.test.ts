import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { instant, seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase("the offers of a sandbox", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      seen({ case: "sandbox", value: { id: "calluna", title: "Control" } }),
      seen({ case: "sandbox", value: { id: "empty" } }),
      offer("b", {
        title: "Straße nach Süden",
        offerType: "DLC",
        modified: "2024-03-01T00:00:00Z",
      }),
      offer("a", { title: "Control", offerType: "BASE_GAME", modified: "2024-03-01T00:00:00Z" }),
      offer("c", {
        title: "CONTROL Ultimate",
        offerType: "EDITION",
        modified: "2024-05-01T00:00:00Z",
      }),
      // Between these two ids code points and UTF-16 units disagree.
      offer("\u{1F600}", { title: "100% _real_" }),
      offer("\uFF5E", {}),
      seen({ case: "offer", value: { id: "elsewhere", namespace: "other", title: "Control" } }),
      seen({ case: "offerText", value: { offerId: "a", locale: "de-DE", title: "Kontrolle" } }),
    ]);
  });

  afterAll(() => running.stop());

  it("come newest first, ties and missing dates by id in the order of code points", async () => {
    const page = await running.catalog.listSandboxOffers({ sandboxId: "calluna" });
    expect(page.offers.map(({ id }) => id)).toEqual(["c", "a", "b", "\uFF5E", "\u{1F600}"]);
    expect(page.totalSize).toBe(5n);
  });

  it("are paged without gaps or overlaps, with the true total on every page", async () => {
    const ids: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const answer = await running.catalogOverGrpc.listSandboxOffers({
        sandboxId: "calluna",
        page,
        pageSize: 2,
      });
      expect(answer.totalSize).toBe(5n);
      ids.push(...answer.offers.map(({ id }) => id));
    }
    expect(ids).toEqual(["c", "a", "b", "\uFF5E", "\u{1F600}"]);
  });

  it("are filtered by any of the types, exactly", async () => {
    const answer = await running.catalog.listSandboxOffers({
      sandboxId: "calluna",
      offerTypes: ["DLC", "EDITION", "dlc"],
    });
    expect(answer.offers.map(({ id }) => id)).toEqual(["c", "b"]);
    expect(answer.totalSize).toBe(2n);
  });

  it.each([
    ["control", ["c", "a"]],
    ["STRASSE", ["b"]],
    ["strasse NACH", ["b"]],
    ["% _", ["\u{1F600}"]],
    ["%", ["\u{1F600}"]],
    ["con_rol", []],
  ])("are filtered by title %j as a literal part in any case", async (title, expected) => {
    const answer = await running.catalog.listSandboxOffers({ sandboxId: "calluna", title });
    expect(answer.offers.map(({ id }) => id)).toEqual(expected);
    expect(answer.totalSize).toBe(BigInt(expected.length));
  });

  it("come with the texts of exactly the requested locale", async () => {
    const german = await running.catalog.listSandboxOffers({
      sandboxId: "calluna",
      locale: "de-DE",
    });
    expect(german.texts.map(({ offerId, title }) => [offerId, title])).toEqual([
      ["a", "Kontrolle"],
    ]);
    const austrian = await running.catalog.listSandboxOffers({
      sandboxId: "calluna",
      locale: "de-AT",
    });
    expect(austrian.texts).toEqual([]);
  });

  it("are an empty page with the total beyond the end, and an empty list of an empty sandbox", async () => {
    const beyond = await running.catalog.listSandboxOffers({ sandboxId: "calluna", page: 50 });
    expect([beyond.offers, beyond.totalSize]).toEqual([[], 5n]);
    const none = await running.catalog.listSandboxOffers({ sandboxId: "empty" });
    expect([none.offers, none.totalSize]).toEqual([[], 0n]);
  });

  it("are NOT_FOUND for a sandbox without a record, even when offers name it", async () => {
    const call = running.catalog.listSandboxOffers({ sandboxId: "other" });
    expect(await refusalOf(call)).toMatchObject({
      code: Code.NotFound,
      reason: ErrorReason.SANDBOX_NOT_FOUND,
      metadata: { sandboxId: "other" },
    });
  });

  it("reach to the 100,000th record and lower a larger page to the cap", async () => {
    const last = await running.catalog.listSandboxOffers({
      sandboxId: "calluna",
      page: 1_001,
      pageSize: 5_000,
    });
    expect(last.offers).toEqual([]);
  });
});

function offer(
  id: string,
  members: { title?: string; offerType?: string; modified?: string },
): ReturnType<typeof seen> {
  const { modified, ...others } = members;
  return seen({
    case: "offer",
    value: {
      id,
      namespace: "calluna",
      ...others,
      ...(modified !== undefined && { lastModifiedDate: instant(modified) }),
    },
  });
}
