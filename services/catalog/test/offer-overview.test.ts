import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { instant, seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

describeOnEachMigratedDatabase("the overview of an offer", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    await running.ingest([
      seen({
        case: "offer",
        value: {
          id: "game",
          namespace: "calluna",
          tags: [{ id: "t2" }, { id: "retired" }, { id: "t1" }, { id: "unknown" }, { id: "t2" }],
          items: [{ id: "game-item" }],
        },
      }),
      seen({
        case: "offer",
        value: { id: "skin", namespace: "calluna", items: [{ id: "skin-item" }] },
      }),
      seen({ case: "offer", value: { id: "bare" } }),
      seen({
        case: "tag",
        value: { id: "t1", name: "Action", status: "ACTIVE", groupName: "genre" },
      }),
      seen({ case: "tag", value: { id: "t2", name: "Co-op", status: "ACTIVE" } }),
      seen({ case: "tag", value: { id: "retired", status: "RETIRED" } }),
      item("game-item", "EXECUTABLE", ["game-app", "tool-app"]),
      item("skin-item", "ENTITLEMENT", ["skin-app"]),
      build("game-old", "game-app", "2020-01-01", [["Engine", "Unity"]]),
      build("game-new", "game-app", "2021-01-01", [
        ["SDK", "Steamworks"],
        ["Engine", "Unreal"],
      ]),
      build("tool", "tool-app", "2019-01-01", [
        ["Engine", "Unreal"],
        [undefined, "FMOD"],
      ]),
      build("skin", "skin-app", "2021-01-01", []),
      rated("PEGI", { gameRating: "12" }),
      rated("ESRB", { gameRating: "T", descriptor: null }),
      seen({ case: "ageRating", value: { namespace: "other", ratingSystem: "USK", rating: {} } }),
      seen({ case: "offerDetails", value: { offerId: "game", media: { images: [1, null, "a"] } } }),
    ]);
  });

  afterAll(() => running.stop());

  it("has details, active tags in the offer's order, and the ratings of its sandbox by system", async () => {
    const answer = await running.catalog.getOfferOverview({ offerId: "game" });
    expect(answer.details).toMatchObject({ media: { images: [1, null, "a"] } });
    expect(answer.tags.map(({ id }) => id)).toEqual(["t2", "t1"]);
    expect(answer.ageRatings.map(({ ratingSystem, rating }) => [ratingSystem, rating])).toEqual([
      ["ESRB", { gameRating: "T", descriptor: null }],
      ["PEGI", { gameRating: "12" }],
    ]);
  });

  it("has the technologies of the newest build of each application of its items, each once", async () => {
    const { technologies } = await running.catalog.getOfferOverview({ offerId: "game" });
    expect(technologies.map(({ section, technology }) => [section, technology])).toEqual([
      ["Engine", "Unreal"],
      ["SDK", "Steamworks"],
      [undefined, "FMOD"],
    ]);
  });

  it("has the technologies of its sandbox's executables where its own items give none", async () => {
    const { technologies } = await running.catalog.getOfferOverview({ offerId: "skin" });
    expect(technologies.map(({ technology }) => technology)).toEqual([
      "Unreal",
      "Steamworks",
      "FMOD",
    ]);
  });

  it("tells what it was made of, known or not", async () => {
    const game = await running.catalog.getOfferOverview({ offerId: "game" });
    expect(game.sources).toMatchObject({
      namespace: "calluna",
      tagIds: ["t2", "retired", "t1", "unknown"],
      itemIds: ["game-item"],
      includesExecutables: false,
    });
    expect(game.sources?.appNames.toSorted()).toEqual(["game-app", "tool-app"]);
    const skin = await running.catalog.getOfferOverview({ offerId: "skin" });
    expect(skin.sources).toMatchObject({ itemIds: ["skin-item"], includesExecutables: true });
    expect(skin.sources?.appNames.toSorted()).toEqual(["game-app", "skin-app", "tool-app"]);
  });

  it("is empty for an offer of which nothing else is known", async () => {
    const answer = await running.catalog.getOfferOverview({ offerId: "bare" });
    expect(answer).toMatchObject({ tags: [], technologies: [], ageRatings: [] });
    expect(answer.details).toBeUndefined();
  });

  it("is NOT_FOUND for an unknown offer", async () => {
    const call = running.catalog.getOfferOverview({ offerId: "none" });
    expect(await refusalOf(call)).toMatchObject({
      code: Code.NotFound,
      reason: ErrorReason.OFFER_NOT_FOUND,
    });
  });
});

function item(id: string, entitlementType: string, appIds: string[]) {
  return seen({
    case: "item",
    value: {
      id,
      namespace: "calluna",
      entitlementType,
      releaseInfo: appIds.map((appId) => ({ appId })),
    },
  });
}

function build(
  id: string,
  appName: string,
  updated: string,
  technologies: [section: string | undefined, technology: string][],
) {
  return seen({
    case: "build",
    value: {
      id,
      appName,
      updatedAt: instant(updated),
      technologies: technologies.map(([section, technology]) => ({ section, technology })),
    },
  });
}

function rated(ratingSystem: string, members: { gameRating: string; descriptor?: null }) {
  return seen({
    case: "ageRating",
    value: { namespace: "calluna", ratingSystem, rating: members },
  });
}
