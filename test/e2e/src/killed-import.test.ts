import {
  describeOnEachMigratedDatabase,
  makeTemporaryDirectory,
  runCli,
  startStack,
} from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchDocumented } from "./fetch-documented.ts";
import { compareLogs } from "./compare-logs.ts";
import { makeHistory } from "./make-history.ts";
import { replay } from "./model/replay.ts";
import { readEvents } from "./read-events.ts";
import { readLog } from "./read-log.ts";
import { variablesFor } from "./stack-on.ts";

/** What ends in the middle of an import, and how; one import each. */
const killed = [
  ["services", "SIGKILL"],
  ["command", "SIGKILL"],
  ["services", "SIGTERM"],
] as const;

/** How long a follower waits before it connects again, and health is asked again, in milliseconds. */
const retryMs = 100;

describe("an import that is killed again and again", () => {
  let files: TemporaryDirectory;
  let history: string;
  let undisturbed: string;
  let wholeMs: number;

  beforeAll(async () => {
    files = await makeTemporaryDirectory();
    history = files.file("history.ndjson");
    const catalogue = files.file("catalogue.ndjson");
    // Its last day has passed, since nothing is taken that was seen tomorrow.
    const made = ["--offers", "20", "--seed", "killed", "--now", "2025-06-01T00:00:00Z"];
    await runCli(["generate", ...made, "--out", catalogue]);
    await makeHistory(catalogue, 3, history);
    const stack = await startStack();
    const startMs = performance.now();
    await stack.cli(["import", history]);
    wholeMs = performance.now() - startMs;
    undisturbed = await exported(stack);
    await stack.stop();
  });
  afterAll(() => files.remove());

  const exported = async (stack: TestStack) => {
    const out = files.file("exported.ndjson");
    await stack.cli(["export", "--out", out]);
    const text = await readFile(out, "utf8");
    // Ids of entries are each stack's own; the log is compared by itself.
    return text.replaceAll(/^.*"kind":"entry",.*\n/gm, "");
  };

  const isOfStart = (line: string) => /"id":"0"|"key":\["0"\]/.test(line);

  const importAndKill = async (stack: TestStack, [what, signal]: (typeof killed)[number]) => {
    const running = stack.startCli(["import", history]);
    // No state is waited for: the point of the kill is to be anywhere.
    await setTimeout(wholeMs * Math.random());
    if (what === "command") running.process.kill(signal);
    else process.kill(await stack.servicesPid(), signal);
    const { status, stderr } = await running.ended;
    // The import goes on when the services are back.
    if (what === "services") expect([status, stderr]).toEqual([0, expect.any(String)]);
    while ((await fetchDocumented(`${stack.gatewayUrl}/health`)).status !== 200)
      await setTimeout(retryMs);
  };

  /** Collects what comes after an entry, over as many connections as it takes. */
  const follow = async (stack: TestStack, ids: string[], signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        for await (const { id } of readEvents(stack.gatewayUrl, ids.at(-1) ?? "", signal)) {
          ids.push(id);
        }
      } catch {
        // It comes back, as a browser does.
      }
      await setTimeout(retryMs);
    }
  };

  describeOnEachMigratedDatabase(
    "and run to its end",
    (database) => {
      it("leaves the records and the changelog of an undisturbed one, and so sees a follower", async () => {
        const stack = await startStack({ env: variablesFor(database) });
        const stop = new AbortController();
        try {
          const line = { kind: "offer", observedAt: "2001-01-01T00:00:00Z", record: { id: "0" } };
          await stack.cli(["import", "-"], { stdin: JSON.stringify(line) });
          const [start] = await readLog(stack, 1);
          const seen = [start?.id ?? ""];
          const following = follow(stack, seen, stop.signal);

          for (const what of killed) await importAndKill(stack, what);
          expect((await stack.cli(["import", history])).status).toBe(0);

          const expected = (await replay([history])).entries;
          const log = await readLog(stack, expected.length + 1);
          expect(compareLogs(expected, log.slice(1))).toEqual([]);
          while (seen.length < log.length) await setTimeout(retryMs);
          stop.abort();
          await following;
          expect(seen).toEqual(log.map(({ id }) => id));

          const remove = { ...line, op: "delete", observedAt: "2001-01-02T00:00:00Z" };
          await stack.cli(["import", "-"], { stdin: JSON.stringify(remove) });
          const lines = (await exported(stack)).split("\n");
          expect(lines.filter((text) => !isOfStart(text)).join("\n")).toBe(undisturbed);
        } finally {
          stop.abort();
          await stack.stop();
        }
      });
    },
    ["pglite", "postgres"],
  );
});
