import { regions } from "@storefront/domain/regions";
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
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, askEach, request } from "../ask.ts";
import { compareLogs, textOf } from "../compare-logs.ts";
import { differences } from "../differences.ts";
import type { FetchedResponse } from "../fetch-documented.ts";
import { makeHistory } from "../make-history.ts";
import { readCatalogue } from "../model/catalogue.ts";
import { Model } from "../model/model.ts";
import { replay } from "../model/replay.ts";
import { SearchModel } from "../model/search-model.ts";
import { overviewQuestions } from "../overview-questions.ts";
import { questionsAbout } from "../questions.ts";
import type { Question } from "../questions.ts";
import { readLog } from "../read-log.ts";
import type { ReadEntry } from "../read-log.ts";
import { generateSearches } from "../search-bodies.ts";
import { oddObservations } from "../search-oddities.ts";
import { searchQuestions } from "../search-questions.ts";
import { untilIndexed } from "../until-indexed.ts";
import { grpcUrlsOf, ingestToken, RunningRelease } from "./start-release.ts";
import type { Services } from "./start-release.ts";

/** Poll interval of readiness, in milliseconds. */
const askEveryMs = 100;

/** The member of a search response with its duration. */
const timeTaken = "$.result.meta.ms:";

/** Fetches a response of the previous release, which today's document need not describe. */
async function fetchUndocumented(url: string, init?: RequestInit): Promise<FetchedResponse> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** The same time in both files, whose sample data would otherwise depend on the day. */
const now = "2026-01-01T00:00:00Z";

function defineSuite(): void {
  describeOnEachDatabase(
    "on one database that today's release has migrated",
    (database) => {
      let files: TemporaryDirectory;
      let histories: { before: string; today: string; last: string };
      let before: Release;
      const releases: RunningRelease[] = [];
      let services: { before: Services; today: Services };
      let gateways: { before: RunningProgram; today: RunningProgram };

      beforeAll(async () => {
        before = await prepareReleaseBefore();
        files = await makeTemporaryDirectory();
        histories = {
          before: await historyOf("before"),
          today: await historyOf("today"),
          last: files.file("last.ndjson"),
        };
        const lines = oddObservations.map((observation) => `${JSON.stringify(observation)}\n`);
        await writeFile(histories.last, lines.join(""));
        const { url } = database.options();
        const { status, stderr } = await runCli(["migrate"], { env: { DATABASE_URL: url } });
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });

        const [ofBefore, ofToday] = [before, today].map((each) => new RunningRelease(each, url));
        if (ofBefore === undefined || ofToday === undefined)
          throw new Error("two releases are required");
        releases.push(ofBefore, ofToday);
        const [oldOwners, newOwners] = await Promise.all([
          ofBefore.startOwners(),
          ofToday.startOwners(),
        ]);
        // Every hop connects the two releases.
        const [oldFollowers, newFollowers] = await Promise.all([
          ofBefore.startFollowers(newOwners),
          ofToday.startFollowers(oldOwners),
        ]);
        services = {
          before: { ...oldOwners, ...oldFollowers },
          today: { ...newOwners, ...newFollowers },
        };
        const [oldGateway, newGateway] = await Promise.all([
          ofBefore.startGateway(services.today),
          ofToday.startGateway(services.before),
        ]);
        gateways = { before: oldGateway, today: newGateway };
      });
      afterAll(async () => {
        await Promise.all(releases.map((release) => release.stop()));
        await files.remove();
      });

      const historyOf = async (seed: string): Promise<string> => {
        const catalogue = files.file(`${seed}.ndjson`);
        const generate = ["generate", "--offers", "40", "--seed", seed, "--now", now];
        await runCli([...generate, "--out", catalogue]);
        await makeHistory(catalogue, 3, `${catalogue}.history`);
        return `${catalogue}.history`;
      };

      const importInto = async (release: Release, target: Services, file: string) => {
        const { status, stderr } = await runCli(["import", file], {
          release,
          env: { ...grpcUrlsOf(target), INGEST_TOKEN: ingestToken },
        });
        return status === 0 ? [] : [stderr];
      };

      const programs = () =>
        [services.before, services.today, gateways].flatMap((each) =>
          Object.values<RunningProgram>(each),
        );

      /** Resolves when every program is ready; a busy machine may miss a check's budget. */
      const allReady = async (): Promise<void> => {
        for (const { url } of programs()) {
          while ((await fetch(`${url}/readyz`)).status !== 200) await setTimeout(askEveryMs);
        }
      };

      /** Log lines that name migrations as a reason for not being ready. */
      const migrationsAtFault = () =>
        programs()
          .flatMap((program) => program.log())
          .filter(({ msg, cause }) => msg === "not ready" && String(cause).includes("migration"));

      it("are ready, and accept concurrent imports by the other release's program", async () => {
        await allReady();
        const imports = await Promise.all([
          importInto(before, services.today, histories.before),
          importInto(today, services.before, histories.today),
        ]);
        expect(imports).toEqual([[], []]);
        expect(await importInto(before, services.today, histories.last)).toEqual([]);
        await allReady();
        expect(migrationsAtFault()).toEqual([]);
      });

      it("log every write once, whichever release follows", async () => {
        const { entries } = await replay([histories.before, histories.today, histories.last]);
        const log = await readLog({ services: services.before }, entries.length);
        // Writes of the two imports are in any order.
        const inOrder = <Entry extends Omit<ReadEntry, "id">>(all: readonly Entry[]) =>
          all.toSorted((a, b) => ((textOf(a) ?? "") < (textOf(b) ?? "") ? -1 : 1));
        expect(compareLogs(inOrder(entries), inOrder(log))).toEqual([]);
        expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
        expect(await readLog({ services: services.today }, entries.length)).toEqual(log);
      });

      describe("are queried", () => {
        let questions: Question[];
        beforeAll(async () => {
          const catalogue = await readCatalogue(Object.values(histories));
          const model = new Model(catalogue, regions);
          const past = await replay(Object.values(histories));
          const searches = generateSearches(catalogue, regions, { count: 60, seed: 3 });
          const searchModel = new SearchModel({ catalogue, replay: past, model, regions });
          const found = searchQuestions(searches, searchModel);
          questions = [
            ...questionsAbout(catalogue, model),
            ...overviewQuestions(catalogue, model),
            ...found.map((question) => question.found),
          ];
          await untilIndexed(gateways.today.url);
        });

        it("and today's gateway returns the data of the files from the previous services", async () => {
          expect(questions.length).toBeGreaterThan(500);
          expect(await ask(gateways.today.url, questions)).toEqual([]);
        });

        it("and the previous gateway returns from today's services what today's gateway returns", async () => {
          const problems = await askEach(questions, async ({ path, body }) => {
            const [old, young] = await Promise.all([
              request(gateways.before.url + path, body, fetchUndocumented),
              request(gateways.today.url + path, body),
            ]);
            // Today's response may have more members.
            return differences(old, young)
              .filter((difference) => !difference.startsWith(timeTaken))
              .map((difference) => `${path} ${difference}`);
          });
          expect(problems).toEqual([]);
        });
      });
    },
    ["postgres"],
  );
}

describeUnlessMissing("the previous release beside today's", missingReleaseBefore(), defineSuite, {
  isOptional: true,
});
