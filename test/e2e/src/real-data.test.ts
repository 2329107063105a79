import { regions } from "@storefront/domain/regions";
import {
  describeOnEachMigratedDatabase,
  drillsAreLong,
  makeTemporaryDirectory,
  missingTypesenseProgram,
  sharedData,
  startStack,
  startTypesense,
} from "@storefront/testkit";
import type {
  TemporaryDirectory,
  TestDatabase,
  TestStack,
  TypesenseServer,
} from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "./ask.ts";
import { askSearches } from "./ask-searches.ts";
import { changelogQuestions, priceHistoryQuestions } from "./changelog-questions.ts";
import { compareLogs, textOf } from "./compare-logs.ts";
import { entryQuestions } from "./entry-questions.ts";
import { ChangelogModel } from "./model/changelog-model.ts";
import { EntryTextModel } from "./model/entry-text-model.ts";
import { wrongGiveawayFeeds } from "./giveaway-feeds.ts";
import { lowsQuestions } from "./lows-questions.ts";
import type { ModelPriceChange } from "./model/price-changes.ts";
import { overviewQuestions } from "./overview-questions.ts";
import { questionsAbout } from "./questions.ts";
import { readEvents } from "./read-events.ts";
import { readLog } from "./read-log.ts";
import { readPriceChanges } from "./read-price-changes.ts";
import type { ReadEntry } from "./read-log.ts";
import { prepareRealData, readRealFiles } from "./real-data.ts";
import type { RealData, RealFiles } from "./real-data.ts";
import { wrongSearches } from "./search-questions.ts";
import { askSellers } from "./sellers.ts";
import { variablesFor } from "./stack-on.ts";
import { untilIndexed } from "./until-indexed.ts";

const shared = sharedData();

/** The members of the output of `storefront import --json` that are read. */
interface Summary {
  kinds: Record<string, Record<"read" | "written" | "unchanged" | "stale" | "rejected", number>>;
  unknownMembers: number;
}

/** A busy machine takes several times as long as a quiet one. */
const slowTimeoutMs = 900_000;

/**
 * The share of the sandboxes that is imported with all of their records, beside those of the worked records:
 * PGlite takes several times as long, and a test double is slow, too. All of them take minutes.
 */
const shares = drillsAreLong
  ? { pglite: 1 / 4, postgres: 1, neon: 1 }
  : { pglite: 1 / 16, postgres: 1 / 2, neon: 1 };

/** Least number of changes in the year of each share. */
const pastEntriesMin = { pglite: 1_500, postgres: 15_000, neon: 15_000 };

type Engine = "the database" | "Typesense";

/** Typesense does not depend on the database: one run is enough. */
const engines: Record<TestDatabase["driver"], readonly Engine[]> = {
  pglite:
    missingTypesenseProgram() === undefined ? ["the database", "Typesense"] : ["the database"],
  postgres: ["the database"],
  neon: [],
};

describe.skipIf(shared === undefined)("a year of a real catalogue", () => {
  let directory: TemporaryDirectory;
  let files: RealFiles;

  beforeAll(async () => {
    if (shared === undefined) throw new Error("the suite is skipped without data");
    directory = await makeTemporaryDirectory();
    files = await readRealFiles(shared);
  });
  afterAll(() => directory.remove());

  describeOnEachMigratedDatabase(
    "replayed, then imported",
    (database) => {
      describe("by one stack", () => {
        let data: RealData;
        let dataDirectory: TemporaryDirectory;
        let stack: TestStack;
        let engine: Engine = "the database";
        let typesense: TypesenseServer | undefined;
        let replayed: Summary;
        let pastLog: ReadEntry[];
        let imported: Summary;
        let log: ReadEntry[];
        let changelog: ChangelogModel;

        const importFiles = async (...names: string[]) =>
          JSON.parse((await stack.cli(["import", "--json", ...names])).stdout) as Summary;
        const timed = async <Result>(what: string, run: () => Promise<Result>) => {
          const startMs = performance.now();
          const result = await run();
          const tookMs = Math.round(performance.now() - startMs);
          process.stderr.write(`${what} (${database.driver}) in ${tookMs} ms\n`);
          return result;
        };

        beforeAll(async () => {
          const share = shares[database.driver];
          data = await prepareRealData(files, { share, directory });
          dataDirectory = await makeTemporaryDirectory();
          await start({});
          pastLog = await timed("replayed the year into the changelog", async () => {
            replayed = await importFiles(data.files.history);
            return await readLog(stack, data.past.length);
          });
          imported = await timed("imported the catalogue", () =>
            importFiles(...data.files.present),
          );
          await importFiles(data.files.odd);
          log = await readLog(stack, data.replay.entries.length);
          changelog = new ChangelogModel({ ...data, log });
        }, slowTimeoutMs);
        afterAll(async () => {
          await stack.stop();
          await typesense?.stop();
          await dataDirectory.remove();
        });

        const start = async (env: Record<string, string>) => {
          stack = await startStack({
            dataDirectory: dataDirectory.path,
            env: { ...variablesFor(database), ...env },
          });
        };
        const searchBy = async (wanted: Engine) => {
          if (wanted === engine) return;
          await stack.stop();
          typesense ??= await startTypesense();
          const env = { TYPESENSE_URL: typesense.url, TYPESENSE_API_KEY: typesense.apiKey };
          await start(wanted === "Typesense" ? env : {});
          engine = wanted;
        };

        it("leaves exactly the changes that the rules require", () => {
          expect(compareLogs(data.past, pastLog)).toEqual([]);
          expect(pastLog.length).toBeGreaterThan(pastEntriesMin[database.driver]);
        });

        it("leaves the entries of five records that were worked out by hand", () => {
          expect(data.worked).toHaveLength(5);
          for (const { kind, id, entries } of data.worked) {
            const ofRecord = pastLog.filter(
              ({ contextType, contextId }) => contextType === kind && contextId === id,
            );
            // The worked changes of an entry have no order.
            const sorted = ofRecord.map((entry) => ({
              ...entry,
              changes: entry.changes.toSorted(byText),
            }));
            const wanted = entries.map((entry) => ({
              ...entry,
              changes: entry.changes.toSorted(byText),
            }));
            expect(sorted.map(textOf)).toEqual(wanted.map(textOf));
          }
        });

        it("is stored to the last record, and adds no entry for changes of the year", () => {
          expect(replayed.unknownMembers + imported.unknownMembers).toBe(0);
          expect(countsRead(imported)).toEqual(data.presentCounts);
          for (const [kind, { read, written, unchanged }] of Object.entries(imported.kinds)) {
            const isKnown = kind === "offer" || kind === "item";
            const expected = isKnown ? { kind, unchanged: read } : { kind, written: read };
            expect(isKnown ? { kind, unchanged } : { kind, written }).toEqual(expected);
          }
          expect(compareLogs(data.replay.entries, log)).toEqual([]);
        });

        it("returns the data of the files, including the odd records", async () => {
          const questions = [
            ...questionsAbout(data.catalogue, data.model),
            ...overviewQuestions(data.catalogue, data.model),
          ];
          expect(questions.length).toBeGreaterThan(1000);
          expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
        });

        it("returns the lows of the files' prices, in batches and in all regions", async () => {
          const questions = lowsQuestions(data.catalogue, data.replay, regions);
          expect(questions.length).toBeGreaterThan(100);
          expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
        });

        it("returns the changelog and the past prices of the files", async () => {
          const countryOf = new Map(
            regions.map(({ region, countries }) => [region, countries[0] ?? ""]),
          );
          const questions = [
            ...changelogQuestions(data.catalogue, changelog),
            ...priceHistoryQuestions(data.replay, data.catalogue, countryOf),
          ];
          expect(questions.length).toBeGreaterThan(700);
          expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
        });

        it("is followed by server-sent events from any entry, across a reconnect", async () => {
          const ids = log.map(({ id }) => id).slice(-400);
          const seen = ids.slice(0, 1);
          for (const end of [150, ids.length]) {
            for await (const event of readEvents(stack.gatewayUrl, seen.at(-1) ?? "")) {
              const { id } = event;
              expect(event.data).toMatchObject({ _id: id });
              seen.push(id);
              if (seen.length === end) break;
            }
          }
          expect(seen).toEqual(ids);
        });

        it("has each price change in the feed of all regions and in that of one", async () => {
          const changes = await readPriceChanges(stack.gatewayUrl);
          expect(changes.length).toBeGreaterThan(5_000);
          expect(changesByPrice(changes)).toEqual(changesByPrice(data.priceChanges));
          const inJapan = ({ region }: ModelPriceChange) => region === "JP";
          const ofJapan = await readPriceChanges(stack.gatewayUrl, "JP");
          expect(ofJapan).toEqual(changes.filter(inJapan));
        });

        it("has its giveaways in a calendar and in feeds, as third-party readers parse them", async () => {
          const wrong = await wrongGiveawayFeeds(stack.gatewayUrl, data.catalogue, data.model);
          expect(wrong).toEqual([]);
        });

        it("counts the sellers of given-away offers", async () => {
          const expected = data.model.countFreeGameSellers();
          expect(await askSellers(stack.gatewayUrl)).toEqual({ counts: expected, isSorted: true });
        });

        it("changes nothing when it is replayed and imported again", async () => {
          const { history, present } = data.files;
          const result = await timed("did both again", () => importFiles(history, ...present));
          const written = Object.entries(result.kinds).filter(([, counts]) => counts.written > 0);
          expect(written).toEqual([]);
          expect(await readLog(stack, log.length)).toEqual(log);
        });

        describe.each(engines[database.driver])("and searched by %s", (wanted) => {
          // The double is slow and handles one request at a time: a request that waits for a second is abandoned.
          const concurrency = wanted === "Typesense" ? 2 : undefined;

          beforeAll(async () => {
            await searchBy(wanted);
            await timed(`indexed by ${wanted}`, () => untilIndexed(stack.gatewayUrl));
          }, slowTimeoutMs);

          it(
            "finds, sorts and counts the offers that filtering finds",
            async () => {
              const found = data.searches.filter(({ counts }) => counts["total"] !== 0);
              expect(found.length).toBeGreaterThan(250);
              expect(await ask(stack.gatewayUrl, wrongSearches(), concurrency)).toEqual([]);
              const forms = { savedEvery: 3, respeltEvery: 4, concurrency };
              expect(await askSearches(stack.gatewayUrl, data.searches, forms)).toEqual([]);
            },
            slowTimeoutMs,
          );

          it(
            "finds the changes that contain the words",
            async () => {
              const texts = new EntryTextModel(changelog.entries, data.catalogue);
              // The double reads every entry for each question.
              const count = wanted === "Typesense" ? 60 : 300;
              const questions = entryQuestions(changelog, texts, { count, seed: 17 });
              expect(await ask(stack.gatewayUrl, questions, concurrency)).toEqual([]);
            },
            slowTimeoutMs,
          );
        });
      });
    },
    ["pglite", "postgres"],
  );
});

function countsRead({ kinds }: Summary): Record<string, number> {
  return Object.fromEntries(Object.entries(kinds).map(([kind, { read }]) => [kind, read]));
}

function changesByPrice(changes: readonly ModelPriceChange[]) {
  return Object.groupBy(changes, ({ offerId, region }) => `${offerId} ${region}`);
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
