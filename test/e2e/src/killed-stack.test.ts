import {
  copyMigratedDatabase,
  freePorts,
  makeTemporaryDirectory,
  runCli,
  startCli,
  startStack,
} from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hasEnded, itemCount } from "./stack-state.ts";

/** The marker of the embedded database's sample data in the data directory. */
async function markerOf(
  data: TemporaryDirectory,
): Promise<{ state: string; now?: string; seed?: number } | undefined> {
  const text = await readFile(data.file("sample-data.json"), "utf8").catch(() => "{}");
  return (JSON.parse(text) as Record<string, { state: string }>)["embedded"];
}

/** Limits of a wait: a new database takes half a minute beside other stacks. */
const patience = { interval: 20, timeout: 90_000 };

describe("a stack that is killed or interrupted", () => {
  let data: TemporaryDirectory;
  const stacks: TestStack[] = [];
  const start = async (parameters: string[]) => {
    const stack = await startStack({ dataDirectory: data.path, parameters });
    stacks.push(stack);
    return stack;
  };

  beforeEach(async () => {
    data = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
    await data.remove();
  });

  const exportedTags = async (stack: TestStack) => {
    const { stdout } = await stack.cli(["export", "--out", "-"]);
    return stdout.split("\n").filter((line) => line !== "").length;
  };
  const until = async (condition: () => boolean | Promise<boolean>) => {
    await vi.waitUntil(condition, patience);
  };

  it("completes the sample data of a first start that was killed", async () => {
    await copyMigratedDatabase(data.path);
    const killed = startCli(["start", "--port", "0", "--offers", "60", "--data-dir", data.path], {
      env: freePorts,
    });
    await until(async () => (await markerOf(data))?.state === "started");
    killed.process.kill("SIGKILL");
    await killed.ended;
    const count = await itemCount(await start(["--offers", "60"]));
    const marker = await markerOf(data);
    expect(marker?.state).toBe("complete");
    await runCli(
      ["generate", "--offers", "60", "--out", data.file("whole.ndjson")].concat([
        "--now",
        marker?.now ?? "",
        "--seed",
        String(marker?.seed),
      ]),
    );
    const lines = (await readFile(data.file("whole.ndjson"), "utf8")).trimEnd().split("\n");
    const items = lines
      .map((line) => JSON.parse(line) as { kind: string; record: { id: string } })
      .filter(({ kind }) => kind === "item");
    expect(count).toBe(new Set(items.map(({ record }) => record.id)).size);
  });

  it("leaves no process when the gateway's process is killed, and restarts on the same data", async () => {
    const stack = await start(["--offers", "10"]);
    const count = await itemCount(stack);
    const services = await stack.servicesPid();
    await stack.kill();
    await until(() => hasEnded(services));
    expect(await itemCount(await start([]))).toBe(count);
  });

  it("stops at once on a second Ctrl-C although an import delays the shutdown", async () => {
    const stack = await start(["--empty"]);
    const services = await stack.servicesPid();
    const line = `${JSON.stringify({ kind: "tag", record: { id: "1" } })}\n`;
    const pendingImport = stack.startCli(["import", "-"], {
      stdin: line.repeat(1000),
      holdStdin: true,
    });
    await until(async () => (await exportedTags(stack)) > 0);
    stack.process.kill("SIGINT");
    // Later than all signals that one Ctrl-C may cause.
    await setTimeout(700);
    expect(hasEnded(services)).toBe(false);
    const startMs = performance.now();
    stack.process.kill("SIGINT");
    await until(() => stack.process.exitCode !== null);
    expect(stack.process.exitCode).toBe(1);
    expect(performance.now() - startMs).toBeLessThan(5000);
    await until(() => hasEnded(services));
    pendingImport.process.kill("SIGKILL");
    await pendingImport.ended;
  });

  it("stops when it is interrupted while it generates sample data", async () => {
    await copyMigratedDatabase(data.path);
    const parameters = ["start", "--port", "0", "--offers", "3000", "--data-dir", data.path];
    const running = startCli(parameters, { env: freePorts });
    await until(async () => (await markerOf(data))?.state === "started");
    running.process.kill("SIGINT");
    expect((await running.ended).status).toBe(1);
    expect((await markerOf(data))?.state).toBe("started");
  });
});
