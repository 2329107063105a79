import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { offer, seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

// The model of test/e2e checks their order, pages and texts.
describeOnEachMigratedDatabase("the offers of a sandbox", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      seen({ case: "sandbox", value: { id: "calluna", title: "Control" } }),
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
      offer("d", { title: "100% _real_" }),
      seen({ case: "offer", value: { id: "elsewhere", namespace: "other", title: "Control" } }),
    ]);
  });

  afterAll(() => running.stop());

  it("are filtered by any of several types, exactly", async () => {
    const response = await running.catalog.listSandboxOffers({
      sandboxId: "calluna",
      offerTypes: ["DLC", "EDITION", "dlc"],
    });
    expect(response.offers.map(({ id }) => id)).toEqual(["c", "b"]);
    expect(response.totalSize).toBe(2n);
  });

  it.each([
    ["control", ["c", "a"]],
    ["STRASSE", ["b"]],
    ["strasse NACH", ["b"]],
    ["% _", ["d"]],
    ["%", ["d"]],
    ["con_rol", []],
  ])("are filtered by title %j as a literal substring, ignoring case", async (title, expected) => {
    const response = await running.catalog.listSandboxOffers({ sandboxId: "calluna", title });
    expect(response.offers.map(({ id }) => id)).toEqual(expected);
    expect(response.totalSize).toBe(BigInt(expected.length));
  });
});
