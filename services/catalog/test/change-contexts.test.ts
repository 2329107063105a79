import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase("the contexts of changelog entries", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      seen({ case: "offer", value: { id: "same", title: "Offer" } }),
      seen({ case: "item", value: { id: "same", title: "Item" } }),
      seen({ case: "build", value: { id: "same", buildVersion: "1" } }),
      seen({ case: "sandbox", value: { id: "same", title: "Sandbox" } }),
      asset("App", "Windows", { id: "second-name", itemId: "same" }),
      asset("App", "Mac", { id: "mac-name" }),
      asset("Other", "Windows", { id: "App" }),
    ]);
  });

  afterAll(() => running.stop());

  it("come in the requested order, without duplicates or unknown ones", async () => {
    const refs = ["sandbox", "offer", "price", "build", "item", "offer", "toString"].map(
      (contextType) => ({ contextType, contextId: "same" }),
    );
    const { contexts } = await running.catalog.batchGetChangeContexts({
      refs: [{ contextType: "offer", contextId: "none" }, ...refs],
    });
    expect(contexts.map(({ ref, record }) => [ref?.contextType, record.case])).toEqual([
      ["sandbox", "sandbox"],
      ["offer", "offer"],
      ["build", "build"],
      ["item", "item"],
    ]);
  });

  it("of assets are found by artifact id, or else by id, with the item that they install", async () => {
    const { contexts } = await running.catalogOverGrpc.batchGetChangeContexts({
      refs: ["second-name", "App", "none"].map((contextId) => ({
        contextType: "asset",
        contextId,
      })),
    });
    expect(
      contexts.map(({ ref, record, assetItem }) => [
        ref?.contextId,
        record.case === "asset" && [record.value.artifactId, record.value.platform],
        assetItem?.title,
      ]),
    ).toEqual([
      ["second-name", ["App", "Windows"], "Item"],
      ["App", ["App", "Mac"], undefined],
    ]);
  });
});

function asset(artifactId: string, platform: string, members: { id: string; itemId?: string }) {
  return seen({
    case: "asset",
    value: { artifactId, platform, namespace: "calluna", ...members },
  });
}
