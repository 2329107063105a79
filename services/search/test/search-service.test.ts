import { Code, ConnectError } from "@connectrpc/connect";
import { OfferSort, OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import { ReindexPhase } from "@storefront/contracts/search/v1/search_index_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { generateCatalogue } from "@storefront/sample-data";
import { describeOnEachMigratedDatabase, everyDriver } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

describeOnEachMigratedDatabase("the search service", suite, everyDriver);

function suite(testDatabase: TestDatabase): void {
  let sources: Sources;
  let running: RunningSearch;
  beforeAll(async () => {
    sources = await startSources(testDatabase.options());
    running = await startSearch(sources);
  });
  afterAll(async () => {
    await running.close();
    await sources.close();
  });

  const find = async (query: Parameters<RunningSearch["search"]["searchOffers"]>[0]["query"]) =>
    await running.search.searchOffers({ query, region: "US", pageSize: 100 });
  const idsOf = async (query: Parameters<typeof find>[0]) => (await find(query)).offerIds;
  const caughtUp = async (lines: readonly Line[]) => {
    await sources.ingest(lines);
    await eventually(() => isCaughtUp(sources.database));
  };

  it("finds a write, and no longer a deleted offer, once the cursor has passed it", async () => {
    await caughtUp([{ kind: "offer", record: { id: "fresh", title: "Quick Brown Fox" } }]);
    expect(await idsOf({ title: "brown" })).toEqual(["fresh"]);
    await caughtUp([{ kind: "offer", op: "delete", record: { id: "fresh" } }]);
    expect(await idsOf({ title: "brown" })).toEqual([]);
  });

  it("marks the matches in the texts of a page on request", async () => {
    const record = { title: "Lighthouse <3", description: "Keeps ships off." };
    await caughtUp([{ kind: "offer", record: { id: "lit", ...record } }]);
    const search = async (query: { title?: string }, highlight = true) =>
      (await running.search.searchOffers({ query, region: "US", highlight })).highlights;
    expect(await search({ title: "lihgthouse" })).toMatchObject([
      { offerId: "lit", title: "<mark>Lighthouse</mark> &lt;3" },
    ]);
    expect(await search({ title: "lighthouse" }, false)).toEqual([]);
    expect(await search({})).toEqual([]);
  });

  it("continues after a cursor only in the same search", async () => {
    const ids = ["paged-1", "paged-2", "paged-3"];
    await caughtUp(ids.map((id) => ({ kind: "offer", record: { id, title: "Paged" } })));
    const search = async (title: string, region: string, cursor: string) =>
      await running.search.searchOffers({ query: { title }, region, cursor, pageSize: 2 });
    const first = await search("paged", "US", "");
    expect(first).toMatchObject({ offerIds: ids.slice(0, 2), resumed: false });
    const { nextCursor } = first;
    const last = { offerIds: ids.slice(2), totalSize: 3n, nextCursor: "", resumed: true };
    expect(await search(" paged ", "US", nextCursor)).toMatchObject(last);
    for (const [title, region, cursor] of [
      ["page", "US", nextCursor],
      ["paged", "JP", nextCursor],
      ["paged", "US", nextCursor.slice(0, -2)],
      ["paged", "US", "W10"],
    ] as const) {
      const refused = search(title, region, cursor).catch(reasonOf);
      await expect(refused).resolves.toBe(ErrorReason.CURSOR_OF_OTHER_SEARCH);
    }
  });

  it("counts tags and sellers with their ids, and lists all of them", async () => {
    const offer = (id: string, seller: object, tags: object[]): Line => ({
      kind: "offer",
      record: { id, title: "Labelled", seller, tags },
    });
    const [two, three] = [
      { id: "t-2", name: "Twin" },
      { id: "t-3", name: "Twin" },
    ];
    await caughtUp([
      offer("labelled-1", { id: "s-1", name: "Harbour Light" }, [two, three]),
      offer("labelled-2", { id: "s-2", name: "Harbour Light" }, [two, { id: "t-4" }]),
      offer("labelled-3", { name: "Harbour Light" }, [{ id: "t-2", name: "Renamed" }, three]),
    ]);
    const { aggregations } = await find({ title: "labelled" });
    expect(aggregations).toMatchObject({
      tags: [
        { key: "Twin", id: "t-2", count: 2n },
        { key: "Twin", id: "t-3", count: 2n },
        { key: "Renamed", id: "t-2", count: 1n },
      ],
      sellers: [
        { key: "Harbour Light", count: 1n },
        { key: "Harbour Light", id: "s-1", count: 1n },
        { key: "Harbour Light", id: "s-2", count: 1n },
      ],
    });
    expect(aggregations?.sellers[0]?.id).toBeUndefined();
    const { tags } = await running.search.countOffersByTag({});
    expect(tags.filter(({ tagId }) => tagId.startsWith("t-"))).toMatchObject([
      { tagId: "t-2", name: "Twin", offerCount: 3n },
      { tagId: "t-3", name: "Twin", offerCount: 2n },
      { tagId: "t-4", offerCount: 1n },
    ]);
    const page = await running.search.listSellers({ text: "harb li", page: 2, pageSize: 2 });
    expect(page).toMatchObject({ sellers: [{ id: "s-2" }], totalSize: 3n });
    expect((await running.search.listSellers({ text: "s-2" })).sellers).toEqual([]);
  });

  it("reports filter values that no offer has, with suggestions", async () => {
    const record = {
      id: "valued",
      offerType: "BASE_GAME",
      developerDisplayName: "Moonlit Works",
      seller: { id: "s-9", name: "Valued Seller" },
      tags: [{ id: "t-9", name: "Valued Tag" }, { id: "t-unnamed" }],
    };
    await caughtUp([{ kind: "offer", record }]);
    const unknownIn = async (query: Parameters<typeof find>[0]) =>
      (await find(query)).unknownValues.map(({ filter, value, nearest }) => ({
        filter,
        value,
        nearest: nearest.map(({ id, name }) => [id, name]),
      }));
    expect(
      await unknownIn({
        offerTypes: ["BASE_GAME", "game"],
        tagIds: ["valued tag", "t-9", "t-unnamed"],
        sellerId: "Valued Seler",
        developerDisplayName: "moonlit works",
        publisherDisplayName: "Nobody",
      }),
    ).toEqual([
      { filter: OfferAggregation.OFFER_TYPES, value: "game", nearest: [[undefined, "BASE_GAME"]] },
      { filter: OfferAggregation.TAGS, value: "valued tag", nearest: [["t-9", "Valued Tag"]] },
      {
        filter: OfferAggregation.SELLERS,
        value: "Valued Seler",
        nearest: [["s-9", "Valued Seller"]],
      },
      {
        filter: OfferAggregation.DEVELOPERS,
        value: "moonlit works",
        nearest: [[undefined, "Moonlit Works"]],
      },
      { filter: OfferAggregation.PUBLISHERS, value: "Nobody", nearest: [] },
    ]);
    expect(await unknownIn({ tagIds: ["t-9"], sellerId: "s-9" })).toEqual([]);
  });

  it("suggests titles, sellers and tags, and corrects misspellings", async () => {
    const seller = { id: "s-s", name: "Suggesting Sellers" };
    const tags = [{ id: "t-s", name: "Suggestive" }];
    await caughtUp([
      { kind: "offer", record: { id: "suggested", title: "Suggested Starlight", seller, tags } },
    ]);
    const suggest = async (text: string, pageSize = 8) =>
      (await running.search.suggest({ text, pageSize })).suggestions.map((each) => [
        each.text,
        each.offerId ?? each.id,
      ]);
    // The values are cached for a time: those of a new offer may be missing.
    expect((await suggest("suggested sta"))[0]).toEqual(["Suggested Starlight", "suggested"]);
    expect((await suggest("sugested"))[0]).toEqual(["Suggested", undefined]);
    expect(await suggest(" ")).toEqual([]);
    // Found by its tag alone, so that its title is no suggestion.
    expect(await suggest("suggestive")).not.toContainEqual(["Suggested Starlight", "suggested"]);
    expect(await suggest("twi", 3)).toContainEqual(["Twin", expect.any(String)]);
    expect(await suggest("harbour", 3)).toContainEqual(["Harbour Light", expect.any(String)]);
  });

  it("returns all counts, the requested ones, or none", async () => {
    await caughtUp([{ kind: "offer", record: { id: "dlc", title: "Rare", offerType: "DLC" } }]);
    const search = async (asked: { aggregations?: OfferAggregation[]; countsOnly?: boolean }) =>
      await running.search.searchOffers({ query: { title: "rare" }, region: "US", ...asked });
    const { OFFER_TYPES, PRICE_STATS, NONE, UNSPECIFIED } = OfferAggregation;
    const offerTypes = [{ key: "DLC", count: 1n }];
    expect(await search({})).toMatchObject({
      offerIds: ["dlc"],
      aggregations: { offerTypes, priceStats: { count: 0n } },
    });
    const some = await search({ aggregations: [OFFER_TYPES], countsOnly: true });
    expect(some).toMatchObject({ offerIds: [], totalSize: 1n, aggregations: { offerTypes } });
    expect(some.aggregations?.priceStats).toBeUndefined();
    expect((await search({ aggregations: [NONE] })).aggregations).toBeUndefined();
    for (const aggregations of [[NONE, PRICE_STATS], [UNSPECIFIED]]) {
      const code = search({ aggregations }).catch((error) => ConnectError.from(error).code);
      expect(await code).toBe(Code.InvalidArgument);
    }
  });

  it("reports whether a count was narrowed to values that contain a text, and narrows no other", async () => {
    await caughtUp([{ kind: "offer", record: { id: "eye", offerType: "DLC" } }]);
    const search = async (facetQuery?: { facet: OfferAggregation; text: string }) =>
      await running.search.searchOffers({
        region: "US",
        aggregations: [OfferAggregation.OFFER_TYPES],
        ...(facetQuery && { facetQuery }),
      });
    const { OFFER_TYPES, TAGS, PRICE_STATS } = OfferAggregation;
    expect(await search({ facet: OFFER_TYPES, text: "lc" })).toMatchObject({
      aggregations: { offerTypes: [{ key: "DLC" }] },
      facetNarrowed: true,
    });
    expect(await search()).toMatchObject({ facetNarrowed: false });
    for (const facet of [TAGS, PRICE_STATS]) {
      const code = search({ facet, text: "a" }).catch((error) => ConnectError.from(error).code);
      expect(await code).toBe(Code.InvalidArgument);
    }
  });

  it("tracks the lowest price on record, also within one batch", async () => {
    await caughtUp([
      { kind: "offer", record: { id: "cheap", title: "Cheap" } },
      { kind: "offer", record: { id: "cheaper-once", title: "Cheaper once" } },
      price("cheap", 1_000, 700),
      price("cheap", 1_000, 500),
      price("cheaper-once", 1_000, 300),
      price("cheaper-once", 1_000, 1_000),
      price("cheaper-once", 1_000, 400),
    ]);
    expect(await idsOf({ isLowestPrice: true })).toEqual(["cheap"]);
    expect((await idsOf({ onSale: true })).toSorted()).toEqual(["cheap", "cheaper-once"]);
    await caughtUp([{ kind: "price", op: "delete", record: { offerId: "cheap", region: "US" } }]);
    expect(await idsOf({ price: {} })).toEqual(["cheaper-once"]);
    await caughtUp([price("cheap", 1_000, 600)]);
    expect(await idsOf({ isLowestPrice: true })).toEqual([]);
    await sources.forgetPrice(["cheap", "US"]);
    await caughtUp([price("cheap", 1_000, 600)]);
    expect(await idsOf({ isLowestPrice: true })).toEqual(["cheap"]);
  });

  it("filters by the mean of ratings, and sorts by a mean that a few ratings hardly change", async () => {
    const rated = (offerId: string, rating: number, times = 1) =>
      Array.from({ length: times }, (_, index): Line => {
        return { kind: "review", record: { id: `${offerId} ${index}`, offerId, rating } };
      });
    const ids = ["rated-often", "rated-once", "rated-zero"];
    await caughtUp([
      ...ids.map((id): Line => ({ kind: "offer", record: { id, title: "Rated" } })),
      ...rated("rated-often", 8, 20),
      ...rated("rated-once", 8.5),
      ...rated("rated-zero", 0),
      ...rated("elsewhere", 9, 20),
    ]);
    const byRating = { title: "rated", sort: OfferSort.RATING };
    expect(await find(byRating)).toMatchObject({
      offerIds: ["rated-once", "rated-often", "rated-zero"],
      ratingApplied: true,
    });
    expect(await idsOf({ ...byRating, minRating: 8.5 })).toEqual(["rated-once"]);
    expect(await idsOf({ ...byRating, minRating: 0 })).toEqual(["rated-once", "rated-often"]);
    await caughtUp(rated("elsewhere", 1, 40));
    await eventually(async () => (await idsOf(byRating))[0] === "rated-often");
    await caughtUp([{ kind: "review", op: "delete", record: { id: "rated-once 0" } }]);
    expect(await idsOf({ ...byRating, minRating: 0 })).toEqual(["rated-often"]);
    await caughtUp([
      { kind: "review", record: { id: "rated-often 0", offerId: "rated-zero", rating: 7 } },
    ]);
    expect(await idsOf({ ...byRating, minRating: 0 })).toEqual(["rated-often", "rated-zero"]);
  });

  it("derives the technologies of offers from builds of their items, or of those of the sandbox", async () => {
    const build = (id: string, app: string, technology: string, day: number): Line => ({
      kind: "build",
      record: {
        id,
        appName: app,
        updatedAt: `2024-01-${day}T00:00:00Z`,
        technologies: [{ section: "Engine", technology }],
      },
    });
    const item = (id: string, app: string): Line => ({
      kind: "item",
      record: {
        id,
        namespace: "ns-tech",
        entitlementType: "EXECUTABLE",
        releaseInfo: [{ id: "r", appId: app }],
      },
    });
    await caughtUp([
      { kind: "offer", record: { id: "own", namespace: "ns-tech", items: [{ id: "i-own" }] } },
      { kind: "offer", record: { id: "shared", namespace: "ns-tech" } },
      build("b1", "app-1", "Godot", 10),
      item("i-own", "app-1"),
    ]);
    expect((await idsOf({ technologies: ["Godot"] })).toSorted()).toEqual(["own", "shared"]);
    await caughtUp([build("b2", "app-1", "Unity", 12), build("b0", "app-1", "Source", 11)]);
    expect((await idsOf({ technologies: ["Unity"] })).toSorted()).toEqual(["own", "shared"]);
    expect(await idsOf({ technologies: ["Godot"] })).toEqual([]);
    await caughtUp([{ kind: "build", op: "delete", record: { id: "b2" } }]);
    expect((await idsOf({ technologies: ["Source"] })).toSorted()).toEqual(["own", "shared"]);
    await caughtUp([{ kind: "item", op: "delete", record: { id: "i-own" } }]);
    expect(await idsOf({ technologies: ["Source"] })).toEqual([]);
  });

  it("considers giveaways that have started, and sorts by the latest end", async () => {
    const giveaway = (id: string, offerId: string, startDate: string, endDate?: string): Line => ({
      kind: "giveaway",
      record: { id, offerId, startDate, ...(endDate === undefined ? {} : { endDate }) },
    });
    await caughtUp([
      { kind: "offer", record: { id: "given", title: "Given" } },
      { kind: "offer", record: { id: "to-come", title: "To come" } },
      { kind: "offer", record: { id: "open", title: "Open" } },
      giveaway("g1", "given", "2020-01-01T00:00:00Z", "2020-01-08T00:00:00Z"),
      giveaway("g2", "to-come", "2999-01-01T00:00:00Z", "2999-01-08T00:00:00Z"),
      giveaway("g3", "open", "2021-01-01T00:00:00Z"),
    ]);
    expect((await idsOf({ pastGiveaways: true })).toSorted()).toEqual(["given", "open"]);
    const sorted = await idsOf({ sort: OfferSort.GIVEAWAY_DATE });
    expect(sorted).toEqual(["to-come", "given", "open"]);
    await caughtUp([giveaway("g1", "open", "2020-01-01T00:00:00Z", "2020-01-08T00:00:00Z")]);
    expect((await idsOf({ pastGiveaways: true })).toSorted()).toEqual(["open"]);
  });

  it("finds entries by the present title of their context, and by their changes", async () => {
    await caughtUp([
      { kind: "offer", record: { id: "logged", title: "Azure Lagoon" } },
      { kind: "offer", record: { id: "logged", title: "Azure Lagoon", refundType: "ODDBALL" } },
    ]);
    const entries = async (text: string) =>
      (await running.search.searchEntries({ text, contextType: "offer" })).totalSize;
    expect(await entries("azure lagoon")).toBe(2n);
    expect(await entries("oddball azure")).toBe(1n);
    await caughtUp([{ kind: "offer", record: { id: "logged", title: "Crimson Lagoon" } }]);
    expect(await entries("crimson lagoon")).toBe(3n);
    const { indexedUntil } = await running.search.searchEntries({ text: "crimson" });
    expect(indexedUntil).toBeDefined();
  });

  it("refuses searches by meaning without an embedder", async () => {
    const asked = running.search.searchOffersByMeaning({ text: "a calm game" });
    await expect(asked.catch(reasonOf)).resolves.toBe(ErrorReason.EMBEDDING_NOT_CONFIGURED);
  });

  it("reports the health of its database, its engine and its feeds", async () => {
    const { dependencies } = await running.health.checkHealth({});
    expect(dependencies.map(({ name }) => name)).toEqual([
      "database",
      "postgres",
      "catalog",
      "pricing",
      "reviews",
      "changelog",
    ]);
  });

  it("reindexes beside the live index during writes, without a moment of missing results", async () => {
    const lines: Line[] = [
      ...generateCatalogue({ offers: 50, seed: 3, now: new Date("2023-12-01") }),
    ];
    await caughtUp(lines);
    const before = await allFound();
    const totals: bigint[] = [];
    const reindexed = new AbortController();
    const asking = (async () => {
      while (!reindexed.signal.aborted) totals.push((await find({})).totalSize);
    })();
    const writing = (async () => {
      for (let n = 0; n < 10; n++) {
        await sources.ingest([{ kind: "offer", record: { id: `late-${n}`, title: `Late ${n}` } }]);
      }
    })();
    let last: ReindexPhase | undefined;
    for await (const { phase } of running.index.reindex({}, { timeoutMs: 60_000 })) last = phase;
    await writing;
    reindexed.abort();
    await asking;
    expect(last).toBe(ReindexPhase.DONE);
    expect(totals.every((total) => total >= before.totalSize)).toBe(true);
    await eventually(() => isCaughtUp(sources.database));
    expect((await find({ title: "late" })).totalSize).toBe(10n);
    // Single writes and a copy build the same index.
    const live = await allFound();
    for await (const { phase } of running.index.reindex({}, { timeoutMs: 60_000 })) void phase;
    const copied = await allFound();
    expect({ ...copied, engineMs: 0 }).toEqual({ ...live, engineMs: 0 });
  });

  it("refuses a second reindex while one is in progress, and resumes an abandoned one", async () => {
    const begin = `insert into search.generation (number, signature, is_live, touched_at)
      values (1000, 'of another process', false, now() - $1::interval)`;
    const outcome = async () =>
      await Array.fromAsync(running.index.reindex({}, { timeoutMs: 60_000 })).then(
        (steps) => steps.at(-1)?.phase,
        (error: unknown) => errorInfoOf(error)?.reason,
      );
    await sources.database.write(begin, ["1 second"]);
    expect(await outcome()).toBe(ErrorReason.REINDEX_UNDER_WAY);
    await sources.database.write("delete from search.generation where number = 1000");
    await sources.database.write(begin, ["2 minutes"]);
    expect(await outcome()).toBe(ReindexPhase.DONE);
  });

  async function allFound() {
    return await find({ sort: OfferSort.PRICE });
  }

  function price(offerId: string, originalPrice: number, discountPrice: number): Line {
    const amounts = { currencyCode: "USD", originalPrice, discountPrice };
    return { kind: "price", record: { offerId, region: "US", price: amounts } };
  }

  function reasonOf(error: unknown): ErrorReason | undefined {
    return errorInfoOf(error)?.reason;
  }
}
