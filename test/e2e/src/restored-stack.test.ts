import { makeTemporaryDirectory, runCli, startStack } from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askEach, request } from "./ask.ts";
import { differences } from "./differences.ts";
import { makeHistory } from "./make-history.ts";
import { readObservations } from "./model/read-observations.ts";
import type { Observation } from "./model/read-observations.ts";
import { readLog } from "./read-log.ts";
import { observationsBeside, questionsFor } from "./restored-questions.ts";
import type { Asked } from "./restored-questions.ts";
import { untilIndexed } from "./until-indexed.ts";

/** Members of responses that describe the request, not the stored data. */
const requestMembers = new Set(["processingTimeMs", "cached", "ms"]);

describe("a stack whose export was imported into an empty one", () => {
  let files: TemporaryDirectory;
  let origin: TestStack;
  let copy: TestStack;
  let asked: Asked[];
  const exportNames = ["origin.ndjson.gz", "copy.ndjson.gz"] as const;

  beforeAll(async () => {
    files = await makeTemporaryDirectory();
    const catalogue = files.file("catalogue.ndjson");
    const history = files.file("history.ndjson");
    const made = ["--offers", "40", "--seed", "restored", "--now", "2025-06-01T00:00:00Z"];
    await runCli(["generate", ...made, "--out", catalogue]);
    await makeHistory(catalogue, 3, history);
    const observations = await readObservations(catalogue);
    const rest = files.file("rest.ndjson");
    await writeLines(rest, observationsBeside(observations));

    origin = await startStack();
    const imported = await origin.cli(["import", history, rest]);
    if (imported.status !== 0) throw new Error(imported.stderr);
    await untilIndexed(origin.gatewayUrl);
    asked = await questionsFor(origin, [catalogue, history, rest]);

    const [first] = exportNames.map((name) => files.file(name));
    await exportTo(origin, exportNames[0]);
    copy = await startStack({ parameters: ["--empty", "--import", first ?? ""] });
    await untilIndexed(copy.gatewayUrl);
  });
  afterAll(async () => {
    await Promise.all([origin, copy].map((stack) => stack.stop()));
    await files.remove();
  });

  async function exportTo(stack: TestStack, name: string): Promise<string> {
    const { status, stderr } = await stack.cli(["export", "--out", files.file(name)]);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    return gunzipSync(await readFile(files.file(name))).toString("utf8");
  }

  it("responds to every operation as the original does", async () => {
    expect(asked.length).toBeGreaterThan(800);
    const problems = await askEach(asked, async ({ path, body }) => {
      const [expected, actual] = await Promise.all(
        [origin, copy].map(async ({ gatewayUrl }) => await request(gatewayUrl + path, body)),
      );
      const both = [expected, actual].map(withoutRequestMembers);
      return [...differences(both[0], both[1]), ...differences(both[1], both[0])].map(
        (difference) => `${path} ${JSON.stringify(body)} ${difference}`,
      );
    });
    expect(problems.slice(0, 20)).toEqual([]);
  });

  it("exports the same bytes", async () => {
    const [first, second] = await Promise.all([
      exportTo(origin, exportNames[0]),
      exportTo(copy, exportNames[1]),
    ]);
    const [one, two] = [first.split("\n"), second.split("\n")];
    expect(two.filter((line, index) => line !== one[index]).slice(0, 5)).toEqual([]);
    expect(second === first).toBe(true);
    const kinds = new Set(
      one.filter(Boolean).map((line) => (JSON.parse(line) as Observation).kind),
    );
    expect(kinds.size).toBe(17);
  });

  it("continues from there: a second import changes nothing, and new records add entries", async () => {
    const log = await readLog(copy, 1);
    const again = await copy.cli(["import", "--json", files.file(exportNames[0])]);
    const { kinds } = JSON.parse(again.stdout) as { kinds: Record<string, Record<string, number>> };
    for (const [kind, { read = 0, unchanged, stale = 0 }] of Object.entries(kinds)) {
      // Past prices are older than the present ones.
      expect([kind, unchanged]).toEqual([kind, kind === "price" ? read - stale : read]);
    }
    const record = { id: "new", namespace: "odd", title: "New" };
    await copy.cli(["import", "-"], { stdin: JSON.stringify({ kind: "offer", record }) });
    const longer = await readLog(copy, log.length + 1);
    expect(longer.slice(0, -1)).toEqual(log);
    expect(longer.at(-1)).toMatchObject({ contextId: "new", changes: [{ field: "*" }] });
  });
});

function withoutRequestMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRequestMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member]) => !requestMembers.has(member))
      .map(([member, each]) => [member, withoutRequestMembers(each)]),
  );
}

async function writeLines(name: string, lines: readonly object[]): Promise<void> {
  await writeFile(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
