import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seen, startCatalog } from "./start-catalog.ts";
import type { RunningCatalog } from "./start-catalog.ts";

// The model of test/e2e checks its tags, details and technologies.
describeOnEachMigratedDatabase("the overview of an offer", (database) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await startCatalog(database.options());
    const tags = ["t2", "retired", "t1", "unknown", "t2"].map((id) => ({ id }));
    await running.ingest([
      offer("game", { tags, items: [{ id: "game-item" }] }),
      offer("skin", { items: [{ id: "skin-item" }] }),
      item("game-item", "EXECUTABLE", ["game-app", "tool-app"]),
      item("skin-item", "ENTITLEMENT", ["skin-app"]),
      seen({
        case: "build",
        value: { id: "game-build", appName: "game-app", technologies: [{ technology: "Unreal" }] },
      }),
      ...["PEGI", "ESRB"].map((ratingSystem) =>
        seen({ case: "ageRating", value: { namespace: "calluna", ratingSystem, rating: {} } }),
      ),
    ]);
  });

  afterAll(() => running.stop());

  it("has the age ratings of its sandbox, by system", async () => {
    const { ageRatings } = await running.catalog.getOfferOverview({ offerId: "game" });
    expect(ageRatings.map(({ ratingSystem }) => ratingSystem)).toEqual(["ESRB", "PEGI"]);
  });

  it("lists its sources, also unknown ones", async () => {
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
});

type Value<Case extends string> = Extract<Parameters<typeof seen>[0], { case: Case }>["value"];

function offer(id: string, members: Value<"offer">) {
  return seen({ case: "offer", value: { ...members, id, namespace: "calluna" } });
}

function item(id: string, entitlementType: string, appIds: string[]) {
  const releaseInfo = appIds.map((appId) => ({ appId }));
  return seen({ case: "item", value: { id, namespace: "calluna", entitlementType, releaseInfo } });
}
