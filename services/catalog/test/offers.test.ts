import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { instant, seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase("offers", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      offer("control", { title: "Control", productSlug: "control/home", creation: "2020-01-01" }),
      offer("control-late", { urlSlug: "control", creation: "2021-01-01" }),
      offer("control-undated", { urlSlug: "control" }),
      offer("early", { urlSlug: "hades", prePurchase: true, creation: "2018-01-01" }),
      offer("hades", { pageSlugs: ["hades--page"], urlSlug: "hades", creation: "2020-02-01" }),
      offer("hades-twin", { urlSlug: "hades", creation: "2020-02-01" }),
      offer("sold-1", { seller: { id: "s1", name: "One" }, modified: "2020-01-01" }),
      offer("sold-2", { seller: { id: "s1", name: "One Inc." }, modified: "2021-01-01" }),
      offer("sold-3", { seller: { id: "s2", name: "Two" } }),
      offer("sold-4", { seller: { name: "Nobody's" } }),
      offer("ranked-dlc", { offerType: "DLC" }),
      offer("ranked-game", { offerType: "BASE_GAME" }),
      ranking("top-sellers", "ranked-dlc", 7),
      ranking("most-played", "ranked-dlc", 2),
      ranking("top-sellers", "ranked-game", 2),
      ranking("top-sellers", "unknown", 1),
      seen({
        case: "offerText",
        value: { offerId: "control", locale: "de-DE", title: "Kontrolle" },
      }),
    ]);
  });

  afterAll(() => running.stop());

  it("are given by id over both ports, with the text of the requested locale", async () => {
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

  it("that are asked for at the same time each answer their own caller", async () => {
    const wanted = [
      { offerId: "hades" },
      { offerId: "control", locale: "de-DE" },
      { offerId: "none" },
      { offerId: "control" },
      { offerId: "control", locale: "fr-FR" },
      { offerId: "control", locale: "de-DE" },
    ];
    const answers = await Promise.allSettled(
      wanted.map((request) => running.catalogOverGrpc.getOffer(request)),
    );
    const told = answers.map((each) =>
      each.status === "fulfilled" ? [each.value.offer?.id, each.value.text?.title] : [],
    );
    expect(told).toEqual([
      ["hades", undefined],
      ["control", "Kontrolle"],
      [],
      ["control", undefined],
      ["control", undefined],
      ["control", "Kontrolle"],
    ]);
  });

  it("are NOT_FOUND by OFFER_NOT_FOUND when unknown", async () => {
    expect(await refusalOf(running.catalog.getOffer({ offerId: "none" }))).toMatchObject({
      code: Code.NotFound,
      reason: ErrorReason.OFFER_NOT_FOUND,
      metadata: { offerId: "none" },
    });
  });

  it("come in a batch in the order asked for, each once, unknown ones left out", async () => {
    const offerIds = ["hades", "none", "control", "hades"];
    const { offers, texts } = await running.catalog.batchGetOffers({ offerIds, locale: "de-DE" });
    expect(offers.map(({ id }) => id)).toEqual(["hades", "control"]);
    expect(texts.map(({ offerId }) => offerId)).toEqual(["control"]);
    expect((await running.catalog.batchGetOffers({})).offers).toEqual([]);
  });

  it("are told to exist in the order asked for, each once", async () => {
    const offerIds = ["sold-1", "none", "control", "sold-1", "__proto__"];
    const answer = await running.catalog.checkOffersExist({ offerIds });
    expect(answer.existingOfferIds).toEqual(["sold-1", "control"]);
  });

  it("are found by slug: itself or with /home, no pre-purchase, the earliest, duplicates kept", async () => {
    const slugs = ["hades", "control", "control/home", "hades--page", "nothing", "", "hades"];
    const { mappings } = await running.catalog.resolveSlugs({ slugs });
    expect(mappings.map(({ slug, offerId }) => [slug, offerId])).toEqual([
      ["hades", "hades"],
      ["control", "control"],
      ["control/home", "control"],
      ["hades--page", "hades"],
      ["nothing", undefined],
      ["", undefined],
      ["hades", "hades"],
    ]);
    expect(mappings[0]?.namespace).toBe("calluna");
    expect(mappings[4]?.namespace).toBeUndefined();
  });

  it("are ranked by their best position in any collection, then id, unknown ones left out", async () => {
    const all = await running.catalog.listRankedOffers({});
    expect(all.rankedOffers.map(({ offerId, position }) => [offerId, position])).toEqual([
      ["ranked-dlc", 2],
      ["ranked-game", 2],
    ]);
    const games = await running.catalog.listRankedOffers({ offerTypes: ["BASE_GAME"] });
    expect(games.rankedOffers.map(({ offerId }) => offerId)).toEqual(["ranked-game"]);
    const first = await running.catalog.listRankedOffers({ pageSize: 1 });
    expect(first.rankedOffers.map(({ offerId }) => offerId)).toEqual(["ranked-dlc"]);
  });

  it("are counted by seller, most first, sellers named as their newest offer names them", async () => {
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

function offer(
  id: string,
  members: {
    title?: string;
    offerType?: string;
    productSlug?: string;
    urlSlug?: string;
    prePurchase?: boolean;
    seller?: { id?: string; name?: string };
    pageSlugs?: string[];
    creation?: string;
    modified?: string;
  },
) {
  const { pageSlugs = [], creation, modified, ...others } = members;
  return seen({
    case: "offer",
    value: {
      id,
      namespace: "calluna",
      ...others,
      offerMappings: pageSlugs.map((pageSlug) => ({ pageSlug })),
      ...(creation !== undefined && { creationDate: instant(creation) }),
      ...(modified !== undefined && { lastModifiedDate: instant(modified) }),
    },
  });
}

function ranking(collection: string, offerId: string, position: number) {
  return seen({ case: "ranking", value: { collection, offerId, position } });
}
