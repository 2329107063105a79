import {
  freePort,
  ingestHttpToken,
  makeTemporaryDirectory,
  runCli,
  startIngest,
  startStack,
} from "@storefront/testkit";
import type { TestIngest, TestStack } from "@storefront/testkit";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exportedLines } from "./exported-lines.ts";
import { makeHistory } from "./make-history.ts";

/** Processes that end during an upload, and their signals; one upload each. */
const killed = [
  ["ingest", "SIGKILL"],
  ["ingest", "SIGTERM"],
  ["client", "SIGKILL"],
  ["services", "SIGKILL"],
] as const;

const started = new AsyncDisposableStack();
let history: string;
let wholeMs: number;
let expected: string[];

beforeAll(async () => {
  const files = started.adopt(await makeTemporaryDirectory(), (each) => each.remove());
  const catalogue = files.file("catalogue.ndjson");
  history = files.file("history.ndjson");
  const made = ["--offers", "20", "--seed", "killed", "--now", "2025-06-01T00:00:00Z"];
  await runCli(["generate", ...made, "--out", catalogue]);
  await makeHistory(catalogue, 3, history);
  const undisturbed = await startStack();
  const startMs = performance.now();
  await undisturbed.cli(["import", history]);
  wholeMs = performance.now() - startMs;
  expected = await recordsOf(undisturbed);
  await undisturbed.stop();
});
afterAll(() => started.disposeAsync());

/** The export without entries, whose ids differ between stacks. */
async function recordsOf(stack: TestStack): Promise<string[]> {
  return (await exportedLines(stack)).filter((line) => !line.includes('"kind":"entry",'));
}

it(
  "uploads that are killed repeatedly and then retried leave the records of an import",
  { timeout: 300_000 },
  async () => {
    const stack = await startStack();
    started.defer(async () => void (await stack.stop()));
    const port = { INGEST_HTTP_PORT: String(await freePort()) };
    let ingest: TestIngest = await startIngest(stack, port);
    started.defer(() => ingest.stop());
    const upload = () =>
      stack.startCli(["import", history, "--url", ingest.url], {
        env: { INGEST_HTTP_TOKEN: ingestHttpToken },
      });

    const statuses = new Map<string, number | null>();
    for (const [what, signal] of killed) {
      const running = upload();
      // Waits for no state: the kill must hit a random moment.
      await setTimeout(wholeMs * Math.random());
      if (what === "ingest") ingest.process.kill(signal);
      else if (what === "client") running.process.kill(signal);
      else process.kill(await stack.servicesPid(), signal);
      if (what === "ingest") {
        await ingest.ended;
        ingest = await startIngest(stack, port);
      }
      statuses.set(what, (await running.ended).status);
    }
    // The upload continues when the services are back.
    expect(statuses.get("services")).toBe(0);
    const { status, stderr } = await upload().ended;
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(await recordsOf(stack)).toEqual(expected);
  },
);
