import { regions } from "@storefront/domain/regions";
import { describeOnEachDatabase, makeTemporaryDirectory, startStack } from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "./ask.ts";
import { changelogQuestions } from "./changelog-questions.ts";
import { compareLogs } from "./compare-logs.ts";
import { readCatalogue } from "./model/catalogue.ts";
import { ChangelogModel } from "./model/changelog-model.ts";
import { Model } from "./model/model.ts";
import { replay } from "./model/replay.ts";
import { writeOddCatalogue } from "./odd-catalogue.ts";
import { overviewQuestions } from "./overview-questions.ts";
import { questionsAbout } from "./questions.ts";
import { readLog } from "./read-log.ts";
import { variablesFor } from "./stack-on.ts";

describeOnEachDatabase(
  "a stack behind a pooler in transaction mode",
  (database) => {
    let files: TemporaryDirectory;
    let stack: TestStack;
    let file: string;
    beforeAll(async () => {
      files = await makeTemporaryDirectory();
      file = files.file("catalogue.ndjson.gz");
      await writeOddCatalogue(file, 40);
      stack = await startStack({
        parameters: ["--empty", "--import", file],
        env: variablesFor(database),
      });
    });
    afterAll(async () => {
      await stack.stop();
      await files.remove();
    });

    it("migrates, imports, follows and responds as without a pooler", async () => {
      const catalogue = await readCatalogue([file]);
      const model = new Model(catalogue, regions);
      const expected = await replay([file]);
      const log = await readLog(stack, expected.entries.length);
      expect(compareLogs(expected.entries, log)).toEqual([]);
      const changelog = new ChangelogModel({ replay: expected, log, catalogue, model });
      const questions = [
        ...questionsAbout(catalogue, model),
        ...overviewQuestions(catalogue, model),
        ...changelogQuestions(catalogue, changelog),
      ];
      expect(questions.length).toBeGreaterThan(200);
      expect(await ask(stack.gatewayUrl, questions)).toEqual([]);
    });
  },
  ["pgbouncer"],
);
