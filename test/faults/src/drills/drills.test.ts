import {
  describeOnEachMigratedDatabase,
  drillsAreLong,
  makeTemporaryDirectory,
  Seeded,
} from "@storefront/testkit";
import type { FaultyLink, TemporaryDirectory } from "@storefront/testkit";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { differencesFromOwners, differencesFromUndisturbed } from "./compare-followers.ts";
import { FleetDatabases, storingServices } from "./fleet-databases.ts";
import { catalogObservation, pricingObservation } from "./random-observations.ts";
import { startFleet } from "./start-fleet.ts";
import type { Fleet } from "./start-fleet.ts";
import { writeWithoutEnd } from "./write-without-end.ts";
import type { Writers } from "./write-without-end.ts";

const faults = drillsAreLong
  ? { kills: 50, restores: 20, cutsOfEach: 20 }
  : { kills: 20, restores: 3, cutsOfEach: 1 };

/** Longest pause between two faults, in milliseconds: some hit during the recovery from the previous one. */
const pauseMs = 2000;

/** Time limit for followers to catch up with their owners, in milliseconds. */
const recoveryMs = 90_000;

const comparedEveryMs = 500;

const testTimeoutMs = drillsAreLong ? 1_800_000 : 240_000;

/** Printed; set it to repeat the same faults. */
const seed = Number(process.env["DRILLS_SEED"] ?? Date.now() % 1_000_000);

describeOnEachMigratedDatabase(
  `three replicas of each follower (DRILLS_SEED=${seed})`,
  (server) => {
    let databases: FleetDatabases;
    let fleet: Fleet;
    let writers: Writers;
    let random: Seeded;
    let files: TemporaryDirectory;
    let hasUndone = false;

    // One fleet for all faults: each kind starts from the state that the previous one left.
    beforeAll(async () => {
      random = new Seeded(seed);
      files = await makeTemporaryDirectory();
      databases = await FleetDatabases.create(server.options().url);
      fleet = await startFleet(databases, {
        catalog: 1,
        pricing: 1,
        reviews: 1,
        changelog: 3,
        search: 3,
      });
    }, 60_000);
    beforeEach(() => {
      writers = writeWithoutEnd(fleet, {
        catalog: (observedAt) => catalogObservation(random, observedAt),
        pricing: (observedAt) => pricingObservation(random, observedAt),
      });
    });
    afterEach(() => writers.stop());
    afterAll(async () => {
      await fleet.stop();
      await databases.drop();
      await files.remove();
    }, 60_000);

    it(
      "equal their owners after kills at random moments",
      async () => {
        for (let kill = 0; kill < faults.kills; kill++) {
          await anyMoment(random);
          const service = random.pick(storingServices);
          await random.pick(fleet.programs.get(service) ?? []).kill();
        }
        expect(await differencesAtTheEnd()).toEqual([]);
      },
      testTimeoutMs,
    );

    it(
      "equal their owners after restores of an owner's database to a random moment",
      async () => {
        for (let restore = 0; restore < faults.restores; restore++) {
          const owner = random.pick(["catalog", "pricing"] as const);
          await anyMoment(random);
          const dump = await databases.dump(owner, dirname(files.file("dump")));
          await anyMoment(random);
          hasUndone = true;
          await databases.restore(owner, dump);
        }
        expect(await differencesAtTheEnd()).toEqual([]);
      },
      testTimeoutMs,
    );

    it(
      "equal their owners after cuts and stalls of every link between two programs",
      async () => {
        for (const links of fleet.links.values()) {
          for (let cut = 0; cut < faults.cutsOfEach; cut++) {
            await disturb(random.pick(links));
          }
        }
        expect(await differencesAtTheEnd()).toEqual([]);
      },
      testTimeoutMs,
    );

    async function disturb(link: FaultyLink): Promise<void> {
      if (random.chance(0.5)) link.cut();
      else link.stall();
      await anyMoment(random);
      link.heal();
    }

    /** Differences after the writers have stopped and the followers had time to catch up. */
    async function differencesAtTheEnd(): Promise<string[]> {
      await writers.stop();
      expect(writers.acknowledged).toBeGreaterThan(0);
      const found = await untilEqual(() => differencesFromOwners(databases));
      return found.length > 0 ? found : await differencesFromFresh();
    }

    /** Differences from followers that start now with empty databases. */
    async function differencesFromFresh(): Promise<string[]> {
      const fresh = await FleetDatabases.create(server.options().url, {
        catalog: databases.url("catalog"),
        pricing: databases.url("pricing"),
      });
      const followers = await startFleet(fresh, {
        catalog: 1,
        pricing: 1,
        reviews: 1,
        changelog: 1,
        search: 1,
      });
      try {
        return await untilEqual(() => differencesFromUndisturbed(databases, fresh, hasUndone));
      } finally {
        await followers.stop();
        await fresh.drop();
      }
    }
  },
  ["postgres"],
);

/** Waits until there are no differences, and returns the remaining ones after a time limit. */
async function untilEqual(differences: () => Promise<string[]>): Promise<string[]> {
  const deadlineMs = performance.now() + recoveryMs;
  for (;;) {
    const found = await differences();
    if (found.length === 0 || performance.now() > deadlineMs) return found;
    await setTimeout(comparedEveryMs);
  }
}

/** Waits for a random time, so that a fault may hit any state. */
async function anyMoment(random: Seeded): Promise<void> {
  await setTimeout(pauseMs * random.number());
}
