import { regions } from "@storefront/regions";
import { describeOnEachDatabase, sharedData, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "./ask.ts";
import { changelogQuestions, priceHistoryQuestions } from "./changelog-questions.ts";
import { compareLogs, textOf } from "./compare-logs.ts";
import { readCatalogue } from "./model/catalogue.ts";
import type { Catalogue } from "./model/catalogue.ts";
import { ChangelogModel } from "./model/changelog-model.ts";
import { Model } from "./model/model.ts";
import { replay } from "./model/replay.ts";
import type { Replay } from "./model/replay.ts";
import { questionsAbout } from "./questions.ts";
import { readEvents } from "./read-events.ts";
import { readLog } from "./read-log.ts";
import type { ReadEntry } from "./read-log.ts";
import { askSellers } from "./sellers.ts";
import { variablesFor } from "./stack-on.ts";
import { workedEntries } from "./worked-entries.ts";

const shared = sharedData();

/** What `storefront import --json` writes, as far as it is looked at. */
interface Summary {
  kinds: Record<string, Record<"read" | "written" | "unchanged" | "stale" | "rejected", number>>;
  unknownMembers: number;
}

describe.skipIf(shared === undefined)("a year of a real catalogue", () => {
  const { history, catalog, prices, texts, community } = shared?.importFiles ?? {
    history: "",
    catalog: "",
    prices: "",
    texts: "",
    community: "",
  };
  const present = [catalog, prices, texts, community];
  let catalogue: Catalogue;
  let past: Replay;
  let whole: Replay;

  beforeAll(async () => {
    const files = [history, ...present];
    past = await replay([history]);
    whole = await replay(files);
    catalogue = await readCatalogue(files);
  });

  describeOnEachDatabase(
    "replayed, then imported",
    (database) => {
      let stack: TestStack;
      let replayed: Summary;
      let pastLog: ReadEntry[];
      let imported: Summary;
      let log: ReadEntry[];

      const importFiles = async (...files: string[]) =>
        JSON.parse((await stack.cli(["import", "--json", ...files])).stdout) as Summary;
      const timed = async <Result>(what: string, run: () => Promise<Result>) => {
        const startMs = performance.now();
        const result = await run();
        const tookMs = Math.round(performance.now() - startMs);
        process.stderr.write(`${what} (${database.driver}) in ${tookMs} ms\n`);
        return { result, tookMs };
      };

      beforeAll(async () => {
        stack = await startStack({ parameters: ["--empty"], env: variablesFor(database) });
        const first = await timed("replayed the year into the changelog", async () => {
          replayed = await importFiles(history);
          return await readLog(stack, past.entries.length);
        });
        pastLog = first.result;
        const second = await timed("imported the catalogue", () => importFiles(...present));
        imported = second.result;
        log = await readLog(stack, whole.entries.length);
      });
      afterAll(() => stack.stop());

      it("leaves exactly the changes that the rules demand", () => {
        expect(compareLogs(past.entries, pastLog)).toEqual([]);
        expect(pastLog.length).toBeGreaterThan(30_000);
      });

      it("leaves the worked entries of five records", async () => {
        const path = shared?.path("data/import/history-sample-expected.json") ?? "";
        const records = workedEntries(await readFile(path, "utf8"));
        expect(records).toHaveLength(5);
        for (const { kind, id, entries } of records) {
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

      it("is stored to the last record, and makes no entry for what the year already told", () => {
        expect(replayed.unknownMembers + imported.unknownMembers).toBe(0);
        for (const [kind, { read, written, unchanged }] of Object.entries(imported.kinds)) {
          const isKnown = kind === "offer" || kind === "item";
          const expected = isKnown ? { kind, unchanged: read } : { kind, written: read };
          expect(isKnown ? { kind, unchanged } : { kind, written }).toEqual(expected);
        }
        expect(imported.kinds["price"]?.read).toBe(158_031);
        expect(imported.kinds["offer"]?.read).toBe(4562);
        expect(compareLogs(whole.entries, log)).toEqual([]);
      });

      it("is answered as the files say, the odd records included", async () => {
        const questions = questionsAbout(catalogue, new Model(catalogue, regions));
        expect(questions.length).toBeGreaterThan(1000);
        expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
      });

      it("has its changelog and its past prices answered as the files say", async () => {
        const model = new Model(catalogue, regions);
        const changelog = new ChangelogModel({ replay: whole, log, catalogue, model });
        const countryOf = new Map(
          regions.map(({ region, countries }) => [region, countries[0] ?? ""]),
        );
        const questions = [
          ...changelogQuestions(catalogue, changelog),
          ...priceHistoryQuestions(whole, catalogue, countryOf),
        ];
        expect(questions.length).toBeGreaterThan(700);
        expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
      });

      it("is followed by Server-Sent Events from any entry, over a connection that ended", async () => {
        const ids = log.map(({ id }) => id).slice(-400);
        const seen = ids.slice(0, 1);
        for (const end of [150, ids.length]) {
          for await (const { id, data } of readEvents(stack.gatewayUrl, seen.at(-1) ?? "")) {
            expect(data).toMatchObject({ _id: id });
            seen.push(id);
            if (seen.length === end) break;
          }
        }
        expect(seen).toEqual(ids);
      });

      it("counts the sellers of given-away offers", async () => {
        const expected = new Model(catalogue, regions).countFreeGameSellers();
        expect(await askSellers(stack.gatewayUrl)).toEqual({ counts: expected, isSorted: true });
      });

      it("changes nothing when it is replayed and imported again", async () => {
        const { result } = await timed("did both again", () => importFiles(history, ...present));
        const written = Object.entries(result.kinds).filter(([, counts]) => counts.written > 0);
        expect(written).toEqual([]);
        expect(await readLog(stack, log.length)).toEqual(log);
      });
    },
    ["pglite", "postgres"],
  );
});

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
