import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { brief, remove, startFixture, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";

/** 256 characters of four bytes each, which hardly compress. */
function longIdentifier(seed: number): string {
  let state = seed;
  return Array.from({ length: 256 }, () => {
    state = (state * 48_271) % 0x7f_ff_ff_ff;
    return String.fromCodePoint(0x2_00_00 + (state % 0xa0_00));
  }).join("");
}

describeOnEachMigratedDatabase(
  "records whose identity is as long as the limits allow",
  (testDatabase) => {
    let fixture: ChangelogFixture;
    beforeAll(async () => {
      fixture = await startFixture(testDatabase.options());
    });
    afterAll(() => fixture.close());

    it("have a history like any other, and do not block later ones", async () => {
      const [artifactId, platform, namespace, other] = [11, 22, 33, 44].map(longIdentifier);
      const identity = { artifactId: artifactId ?? "", platform: platform ?? "" };
      const here = { ...identity, namespace: namespace ?? "" };
      const there = { ...identity, namespace: other ?? "" };
      await fixture.ingest([
        upsert("asset", 1, { ...here, downloadSizeBytes: 1 }),
        upsert("asset", 2, { ...there, downloadSizeBytes: 1 }),
        upsert("offer", 3, { id: "o", namespace: here.namespace }),
      ]);
      await fixture.ingest([
        upsert("asset", 4, { ...here, downloadSizeBytes: 2 }),
        remove("asset", 5, there),
      ]);
      await fixture.caughtUp();
      const listOf = async (sandboxId: string) => {
        const scope = { case: "sandboxId", value: sandboxId } as const;
        const { entries } = await fixture.changelog.listEntries({ scope });
        return entries.map((entry) => brief(entry).replace(identity.artifactId, "a"));
      };
      expect(await listOf(here.namespace)).toEqual([
        "asset a ~downloadSizeBytes",
        "offer o +*",
        "asset a +*",
      ]);
      expect(await listOf(there.namespace)).toEqual(["asset a -*", "asset a +*"]);
    });
  },
);
