import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { offer, seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

// The model of test/e2e checks lists, their order and omitted records.
describeOnEachMigratedDatabase("the catalog", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      offer("control", { title: "Control" }),
      offer("hades", {}),
      offer("sold-1", { seller: { id: "s1", name: "One" }, modified: "2020-01-01" }),
      offer("sold-2", { seller: { id: "s1", name: "One Inc." }, modified: "2021-01-01" }),
      offer("sold-3", { seller: { id: "s2", name: "Two" } }),
      offer("sold-4", { seller: { name: "Nobody's" } }),
      ...["i1", "i2"].map((id) => seen({ case: "item", value: { id } })),
      seen({
        case: "offerText",
        value: { offerId: "control", locale: "de-DE", title: "Kontrolle" },
      }),
    ]);
  });

  afterAll(() => running.stop());

  it("returns offers by id over both ports, with the text of the requested locale", async () => {
    for (const client of [running.catalog, running.catalogOverGrpc]) {
      const plain = await client.getOffer({ offerId: "control" });
      expect(plain.offer).toMatchObject({ id: "control", title: "Control" });
      expect(plain.text).toBeUndefined();
      const german = await client.getOffer({ offerId: "control", locale: "de-DE" });
      expect(german.text?.title).toBe("Kontrolle");
      const french = await client.getOffer({ offerId: "control", locale: "fr-FR" });
      expect(french.offer?.title).toBe("Control");
      expect(french.text).toBeUndefined();
    }
  });

  it("returns to each of several concurrent callers the offer that it requested", async () => {
    const wanted = [
      { offerId: "hades" },
      { offerId: "control", locale: "de-DE" },
      { offerId: "none" },
      { offerId: "control" },
      { offerId: "control", locale: "fr-FR" },
      { offerId: "control", locale: "de-DE" },
    ];
    const results = await Promise.allSettled(
      wanted.map((request) => running.catalogOverGrpc.getOffer(request)),
    );
    const returned = results.map((each) =>
      each.status === "fulfilled" ? [each.value.offer?.id, each.value.text?.title] : [],
    );
    expect(returned).toEqual([
      ["hades", undefined],
      ["control", "Kontrolle"],
      [],
      ["control", undefined],
      ["control", undefined],
      ["control", "Kontrolle"],
    ]);
  });

  it("returns a batch of items in the requested order, without duplicates or unknown ones", async () => {
    const { items } = await running.catalog.batchGetItems({ itemIds: ["i2", "none", "i1", "i2"] });
    expect(items.map(({ id }) => id)).toEqual(["i2", "i1"]);
  });

  it("reports which record is unknown", async () => {
    const { catalog } = running;
    const [offerId, itemId, sandboxId] = ["none", "none", "calluna"];
    const { OFFER_NOT_FOUND, ITEM_NOT_FOUND, ITEM_WITHOUT_OFFER, SANDBOX_NOT_FOUND } = ErrorReason;
    const refused = [
      [catalog.getOffer({ offerId }), OFFER_NOT_FOUND, { offerId }],
      [catalog.getOfferOverview({ offerId }), OFFER_NOT_FOUND, {}],
      [catalog.getItem({ itemId }), ITEM_NOT_FOUND, { itemId }],
      [catalog.listItemBuilds({ itemId }), ITEM_NOT_FOUND, { itemId }],
      [catalog.getItemOffer({ itemId: "i1" }), ITEM_WITHOUT_OFFER, { itemId: "i1" }],
      [catalog.getSandbox({ sandboxId }), SANDBOX_NOT_FOUND, { sandboxId }],
      [catalog.listSandboxAssets({ sandboxId }), SANDBOX_NOT_FOUND, { sandboxId }],
      // Offers refer to it, but it has no record.
      [catalog.listSandboxOffers({ sandboxId }), SANDBOX_NOT_FOUND, { sandboxId }],
    ] as const;
    const checks = refused.map(async ([call, reason, metadata]) =>
      expect(await refusalOf(call)).toMatchObject({ code: Code.NotFound, reason, metadata }),
    );
    await Promise.all(checks);
  });

  it("counts offers by seller, most first, with the name in the seller's newest offer", async () => {
    const offerIds = ["sold-4", "sold-3", "sold-1", "sold-2", "sold-1", "control", "none"];
    const { sellerCounts } = await running.catalog.countOffersBySeller({ offerIds });
    expect(
      sellerCounts.map(({ seller, offerCount }) => [seller?.id, seller?.name, offerCount]),
    ).toEqual([
      ["s1", "One Inc.", 2n],
      ["s2", "Two", 1n],
      [undefined, "Nobody's", 1n],
    ]);
  });
});
