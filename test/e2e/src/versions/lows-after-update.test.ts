import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { createTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import {
  describeOnEachDatabase,
  describeUnlessMissing,
  makeTemporaryDirectory,
  missingReleaseBefore,
  prepareReleaseBefore,
  runCli,
  today,
} from "@storefront/testkit";
import type { Release, RunningProgram, TemporaryDirectory } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { grpcUrlsOf, ingestToken, RunningRelease } from "./start-release.ts";
import type { Services } from "./start-release.ts";

const patience = { timeout: 100_000, interval: 100 };
const dayMs = 86_400_000;

/** Amounts to pay for what costs 1000, and how many days ago each was seen. */
const histories = {
  cheapest: [
    [700, 800],
    [300, 500],
  ],
  cheaper: [
    [100, 800],
    [500, 400],
  ],
  undiscounted: [
    [400, 50],
    [1000, 20],
  ],
} as const;

function defineSuite(): void {
  describeOnEachDatabase(
    "lows of prices that the release before has stored",
    (database) => {
      let files: TemporaryDirectory;
      let release: { before: RunningRelease; today: RunningRelease };
      let before: Release;
      let owners: Record<"before" | "today", Pick<Services, "catalog" | "pricing" | "reviews">>;
      let search: { before: RunningProgram; today: RunningProgram };
      const transports: ClosableTransport[] = [];

      beforeAll(async () => {
        before = await prepareReleaseBefore();
        files = await makeTemporaryDirectory();
        const { url } = database.options();
        const { status, stderr } = await runCli(["migrate"], { env: { DATABASE_URL: url } });
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
        release = {
          before: new RunningRelease(before, url),
          today: new RunningRelease(today, url),
        };
        owners = {
          before: await release.before.startOwners(),
          today: await release.today.startOwners(),
        };
        const { search: stored } = await release.before.startFollowers(owners.before);
        search = { before: stored, today: stored };
        const offers = Object.keys(histories).map((id) => ({ kind: "offer", record: { id } }));
        const prices = Object.entries(histories).flatMap(([id, states]) =>
          states.map(([amount, daysAgo]) => price(id, amount, daysAgo)),
        );
        await see([...offers, ...prices]);
        await vi.waitUntil(async () => (await priced(search.before)).length === 3, patience);
      }, 120_000);
      afterAll(async () => {
        await Promise.all(transports.map((transport) => transport.close()));
        await Promise.all(Object.values(release).map((each) => each.stop()));
        await files.remove();
      });

      const price = (offerId: string, discountPrice: number, daysAgo: number) => ({
        kind: "price",
        observedAt: new Date(Date.now() - daysAgo * dayMs).toISOString(),
        record: {
          offerId,
          region: "US",
          price: { currencyCode: "USD", originalPrice: 1000, discountPrice },
        },
      });
      const see = async (lines: readonly object[]) => {
        const file = files.file("seen.ndjson");
        await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
        const env = { ...grpcUrlsOf(owners.today), INGEST_TOKEN: ingestToken };
        const { status, stderr } = await runCli(["import", file], { env });
        if (status !== 0) throw new Error(stderr);
      };
      const clientOf = ({ url }: RunningProgram): Client<typeof SearchService> => {
        const transport = createTransport({ baseUrl: url });
        transports.push(transport);
        return createClient(SearchService, transport);
      };
      /** Ids by ascending price; none while there is no index. */
      const priced = async (of: RunningProgram, maximum = 1000n) => {
        const query = { price: { min: 0n, max: maximum } };
        const found = clientOf(of).searchOffers({ query, region: "US" });
        return await found.then(({ offerIds }) => offerIds.toSorted()).catch(() => []);
      };
      const lowest = async (lowestPriceOf: LowWindow) => {
        const found = clientOf(search.today).searchOffers({
          query: { lowestPriceOf },
          region: "US",
        });
        return (await found).offerIds.toSorted();
      };
      const startToday = async (followed: (typeof owners)["today"]) => {
        search.today = (await release.today.startFollowers(followed)).search;
        await expect.poll(() => priced(search.today), patience).toHaveLength(3);
      };

      it("are not known while pricing is that release, and the rest gets a response", async () => {
        await startToday(owners.before);
        expect(await lowest(LowWindow.EVER)).toEqual([]);
        await see([price("cheaper", 450, 90)]);
        const below = ["cheaper", "cheapest"];
        await expect.poll(() => priced(search.today, 499n), patience).toEqual(below);
        await search.today.stop();
      }, 120_000);

      it("are known once pricing is this one, with the search before still beside", async () => {
        await startToday(owners.today);
        await expect.poll(() => lowest(LowWindow.EVER), patience).toEqual(["cheapest"]);
        const both = ["cheaper", "cheapest"];
        await expect.poll(() => lowest(LowWindow.DAYS_365), patience).toEqual(both);
        // Either of the two applies them.
        await see([price("cheaper", 440, 80)]);
        await see([price("cheaper", 90, 60)]);
        await expect.poll(() => lowest(LowWindow.EVER), patience).toEqual(both);
        await expect.poll(() => priced(search.before, 90n), patience).toEqual(["cheaper"]);
      }, 240_000);

      it("are known again after the release before has served alone", async () => {
        await search.today.stop();
        await see([price("cheapest", 900, 40), price("undiscounted", 95, 10)]);
        await expect
          .poll(() => priced(search.before, 95n), patience)
          .toEqual(["cheaper", "undiscounted"]);
        await see([{ ...price("cheapest", 900, 5), op: "delete" }]);
        const known = ["cheaper", "undiscounted"];
        await expect.poll(() => priced(search.before), patience).toEqual(known);
        search.today = (await release.today.startFollowers(owners.today)).search;
        await expect.poll(() => lowest(LowWindow.EVER), patience).toEqual(known);
        await expect.poll(() => lowest(LowWindow.DAYS_30), patience).toEqual(known);
        expect(await priced(search.today)).toEqual(known);
      }, 240_000);
    },
    ["postgres"],
  );
}

describeUnlessMissing("after an update", missingReleaseBefore(), defineSuite, { isOptional: true });
