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

/** Processes that end during an import, and their signals; one import each. */
const killed = [
  ["services", "SIGKILL"],
  ["command", "SIGKILL"],
  ["services", "SIGTERM"],
] as const;

/** Pause of a follower before it reconnects, and between health checks, in milliseconds. */
const retryMs = 100;

describe("an import that is killed repeatedly", () => {
  let files: TemporaryDirectory;
  let history: string;
  let undisturbed: string;
  let wholeMs: number;

  beforeAll(async () => {
    files = await makeTemporaryDirectory();
    history = files.file("history.ndjson");
    const catalogue = files.file("catalogue.ndjson");
    // Its last day is in the past, since observations of the future are rejected.
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
    // Each stack has its own entry ids; the log is compared separately.
    return text.replaceAll(/^.*"kind":"entry",.*\n/gm, "");
  };

  const isOfStart = (line: string) => /"id":"0"|"key":\["0"\]/.test(line);

  const importAndKill = async (stack: TestStack, [what, signal]: (typeof killed)[number]) => {
    const running = stack.startCli(["import", history]);
    // Waits for no state: the kill must hit a random moment.
    await setTimeout(wholeMs * Math.random());
    if (what === "command") running.process.kill(signal);
    else process.kill(await stack.servicesPid(), signal);
    const { status, stderr } = await running.ended;
    // The import continues when the services are back.
    if (what === "services") expect([status, stderr]).toEqual([0, expect.any(String)]);
    while ((await fetchDocumented(`${stack.gatewayUrl}/health`)).status !== 200)
      await setTimeout(retryMs);
  };

  /** Collects the ids after the last one, over as many connections as needed. */
  const follow = async (stack: TestStack, ids: string[], signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        for await (const { id } of readEvents(stack.gatewayUrl, ids.at(-1) ?? "", signal)) {
          ids.push(id);
        }
      } catch {
        // It reconnects, as a browser does.
      }
      await setTimeout(retryMs);
    }
  };

  describeOnEachMigratedDatabase(
    "and then completed",
    (database) => {
      it("leaves the records and the changelog of an undisturbed import, and a follower sees the same", async () => {
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
