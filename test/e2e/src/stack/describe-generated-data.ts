import { regions } from "@storefront/domain/regions";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { agentQuestions, askAsAgent } from "../agent-questions.ts";
import { ask, request } from "../ask.ts";
import { askSearches } from "../ask-searches.ts";
import { changelogQuestions, priceHistoryQuestions } from "../changelog-questions.ts";
import { compareLogs } from "../compare-logs.ts";
import { entryQuestions } from "../entry-questions.ts";
import { freeGameQuestions } from "../free-game-questions.ts";
import { wrongGiveawayFeeds } from "../giveaway-feeds.ts";
import { compareListedLows } from "../listed-lows.ts";
import { lowSearches, lowsQuestions } from "../lows-questions.ts";
import { readCatalogue } from "../model/catalogue.ts";
import { ChangelogModel } from "../model/changelog-model.ts";
import { EntryTextModel } from "../model/entry-text-model.ts";
import { Model } from "../model/model.ts";
import { replay } from "../model/replay.ts";
import { SearchModel } from "../model/search-model.ts";
import { offerQuestions } from "../offer-questions.ts";
import { overviewQuestions } from "../overview-questions.ts";
import { questionsAbout } from "../questions.ts";
import { readLog } from "../read-log.ts";
import { generateSearches } from "../search-bodies.ts";
import { searchQuestions, wrongSearches } from "../search-questions.ts";
import { askSellers } from "../sellers.ts";
import { untilIndexed } from "../until-indexed.ts";
import type { SharedStack } from "./shared-stack.ts";

/** Tests of the shared stack. */
export function describeGeneratedData(shared: () => SharedStack): void {
  describe("a generated catalogue", () => {
    let stack: SharedStack;
    let file: string;

    beforeAll(async () => {
      stack = shared();
      file = stack.catalogueFile;
    });

    it("returns the data of its file", async () => {
      const catalogue = await readCatalogue([file]);
      const model = new Model(catalogue, regions);
      const questions = [
        ...questionsAbout(catalogue, model),
        ...overviewQuestions(catalogue, model),
      ];
      expect(questions.length).toBeGreaterThan(500);
      expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
      expect(await askSellers(stack.gatewayUrl)).toEqual({
        counts: model.countFreeGameSellers(),
        isSorted: true,
      });
    });

    it("lists the giveaways of its file, in every state and on every platform", async () => {
      const catalogue = await readCatalogue([file]);
      const model = new Model(catalogue, regions);
      const questions = freeGameQuestions(catalogue, model);
      for (const state of ["current", "upcoming", "past"]) {
        const [first] = questions.filter(({ path }) => path.includes(`state=${state}&`));
        expect(first?.expected).not.toHaveProperty("body.total", 0);
      }
      expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
      expect(await wrongGiveawayFeeds(stack.gatewayUrl, catalogue, model)).toEqual([]);
    });

    it("returns the offers of its file in batches, and their prices in all regions", async () => {
      const catalogue = await readCatalogue([file]);
      const questions = offerQuestions(catalogue, new Model(catalogue, regions));
      expect(questions.length).toBeGreaterThan(300);
      expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
    });

    it("returns the lows of its file's prices, in batches and in all regions", async () => {
      const catalogue = await readCatalogue([file]);
      const questions = lowsQuestions(catalogue, await replay([file]), regions);
      expect(questions.length).toBeGreaterThan(100);
      expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
    });

    it("is filtered and sorted by the lows of its file's prices", async () => {
      const catalogue = await readCatalogue([file]);
      const model = new Model(catalogue, regions);
      const questions = lowSearches({ catalogue, replay: await replay([file]), model, regions });
      expect(questions.length).toBeGreaterThan(20);
      // The index follows the catalogue.
      const isFound = async () => expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
      await vi.waitFor(isFound, { timeout: 60_000 });
    });

    it("returns the searches, saved queries and counts that filtering its file gives", async () => {
      const catalogue = await readCatalogue([file]);
      const model = new Model(catalogue, regions);
      const searchModel = new SearchModel({
        catalogue,
        replay: await replay([file]),
        model,
        regions,
      });
      const searches = generateSearches(catalogue, regions, { count: 180, seed: 18 });
      const questions = searchQuestions(searches, searchModel);
      expect(questions.filter(({ counts }) => counts["total"] !== 0).length).toBeGreaterThan(90);
      await untilIndexed(stack.gatewayUrl);
      expect(await ask(stack.gatewayUrl, wrongSearches())).toEqual([]);
      const forms = { savedEvery: 3, respeltEvery: 4 };
      expect(await askSearches(stack.gatewayUrl, questions, forms)).toEqual([]);
    });

    it("returns the changelog of its file, also by words, and its past prices", async () => {
      const catalogue = await readCatalogue([file]);
      const model = new Model(catalogue, regions);
      const expected = await replay([file]);
      const log = await readLog(stack, expected.entries.length);
      expect(compareLogs(expected.entries, log)).toEqual([]);
      const changelog = new ChangelogModel({ replay: expected, log, catalogue, model });
      const countryOf = new Map(
        regions.map(({ region, countries }) => [region, countries[0] ?? ""]),
      );
      const questions = [
        ...changelogQuestions(catalogue, changelog),
        ...priceHistoryQuestions(expected, catalogue, countryOf),
      ];
      expect(questions.length).toBeGreaterThan(300);
      expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
      await untilIndexed(stack.gatewayUrl);
      const texts = new EntryTextModel(changelog.entries, catalogue);
      const byWords = entryQuestions(changelog, texts, { count: 100, seed: 17 });
      expect(await ask(stack.gatewayUrl, byWords)).toEqual([]);
    });

    it("is the same for agents as for REST clients", async () => {
      const questions = agentQuestions(await readCatalogue([file]));
      expect(questions.length).toBeGreaterThan(300);
      expect(await askAsAgent(stack.gatewayUrl, questions)).toEqual([]);
    });

    it("has the same lows in lists of searches and giveaways as in requests for single prices", async () => {
      const { offer, price } = await readCatalogue([file]);
      const priced = [...offer.keys()].filter((id) => price.has(`${id} US`));
      // The index follows the catalogue.
      await vi.waitFor(async () => {
        const { result } = await request(`${stack.gatewayUrl}/search/v2/search`, { price: {} });
        expect(result).toHaveProperty("total", priced.length);
      });
      const collections = [...offer.values()].filter((each) => each.collectionOfferIds?.length);
      const some = [...priced.slice(0, 5), ...collections.map(({ id }) => id)];
      for (const country of ["US", "DE", "JP"]) {
        const { all, onceLower } = await compareListedLows(stack.gatewayUrl, country, some);
        expect(all).toBeGreaterThan(100);
        expect(onceLower).toBeGreaterThan(30);
      }
    });
  });
}
