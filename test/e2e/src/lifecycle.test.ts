import {
  copyMigratedDatabase,
  makeTemporaryDirectory,
  runCli,
  startCli,
  startStack,
} from "@storefront/testkit";
import type { StackOptions, TemporaryDirectory, TestStack } from "@storefront/testkit";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchDocumented } from "./fetch-documented.ts";

const freeServicePorts = {
  CATALOG_PORT: "0",
  CATALOG_GRPC_PORT: "0",
  PRICING_PORT: "0",
  PRICING_GRPC_PORT: "0",
  REVIEWS_PORT: "0",
  REVIEWS_GRPC_PORT: "0",
  CHANGELOG_PORT: "0",
  CHANGELOG_GRPC_PORT: "0",
  SEARCH_PORT: "0",
  SEARCH_GRPC_PORT: "0",
};

/** What the data directory remembers of the embedded database's sample data. */
async function markerOf(
  data: TemporaryDirectory,
): Promise<{ state: string; now?: string; seed?: number } | undefined> {
  const text = await readFile(data.file("sample-data.json"), "utf8").catch(() => "{}");
  return (JSON.parse(text) as Record<string, { state: string }>)["embedded"];
}

/** How often a state that is waited for is looked at, in milliseconds. */
const intervalMs = 20;

/** How long it is waited for, in milliseconds: a new database takes half a minute beside other stacks. */
const patienceMs = 90_000;

describe("a stack", () => {
  let data: TemporaryDirectory;
  const stacks: TestStack[] = [];
  const start = async (parameters: string[], options: Pick<StackOptions, "makesDatabase"> = {}) => {
    const stack = await startStack({ dataDirectory: data.path, parameters, ...options });
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

  const itemCount = async ({ gatewayUrl }: TestStack) => {
    const { body } = await fetchDocumented(`${gatewayUrl}/items`);
    return (JSON.parse(body) as { total: number }).total;
  };
  const healthOf = async ({ gatewayUrl }: TestStack) =>
    (await fetchDocumented(`${gatewayUrl}/health`)).status;
  const exportedTags = async (stack: TestStack) => {
    const { stdout } = await stack.cli(["export", "--out", "-"]);
    return stdout.split("\n").filter((line) => line !== "").length;
  };
  const until = async (condition: () => Promise<boolean>) => {
    const giveUpAtMs = performance.now() + patienceMs;
    while (!(await condition())) {
      if (performance.now() > giveUpAtMs) throw new Error("what is waited for does not come");
      await setTimeout(intervalMs);
    }
  };
  const isGone = (pid: number) => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  };

  it("makes sample data on its first start, without a line of log, and reuses it later", async () => {
    const first = await start(["--offers", "10"], { makesDatabase: true });
    expect(first.log()).not.toContain('"level"');
    const count = await itemCount(first);
    expect(count).toBeGreaterThan(0);
    expect((await first.stop()).status).toBe(0);
    const second = await start(["--offers", "20"]);
    expect(await itemCount(second)).toBe(count);
    expect(second.log()).not.toContain("sample data");
  });

  it("completes the sample data of a first start that was killed", async () => {
    await copyMigratedDatabase(data.path);
    const killed = startCli(["start", "--port", "0", "--offers", "60", "--data-dir", data.path], {
      env: freeServicePorts,
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

  it("leaves no process when the gateway's is killed, and starts again on the same data", async () => {
    const stack = await start(["--offers", "10"]);
    const count = await itemCount(stack);
    const services = await stack.servicesPid();
    await stack.kill();
    await until(async () => isGone(services));
    expect(await itemCount(await start([]))).toBe(count);
  });

  it("ends in order on Ctrl-C, status 0, no process left, the directory free, and stays empty", async () => {
    const stack = await start(["--empty"]);
    expect(await itemCount(stack)).toBe(0);
    const services = await stack.servicesPid();
    const { status } = await stack.stop();
    expect(status).toBe(0);
    expect(isGone(services)).toBe(true);
    const { status: migrated, stdout } = await stack.cli(["migrate", "--json"]);
    expect(migrated).toBe(0);
    const none = { catalog: [], pricing: [], reviews: [], changelog: [], search: [] };
    expect(JSON.parse(stdout)).toEqual({ applied: none, newer: none });
    expect(await itemCount(await start([]))).toBe(0);
  });

  it("ends at once on a second Ctrl-C although an import holds it up", async () => {
    const stack = await start(["--empty"]);
    const services = await stack.servicesPid();
    const line = `${JSON.stringify({ kind: "tag", record: { id: "1" } })}\n`;
    const held = stack.startCli(["import", "-"], { stdin: line.repeat(1000), holdStdin: true });
    await until(async () => (await exportedTags(stack)) > 0);
    stack.process.kill("SIGINT");
    // Later than the signals that one Ctrl-C may arrive as.
    await setTimeout(700);
    expect(isGone(services)).toBe(false);
    const startMs = performance.now();
    stack.process.kill("SIGINT");
    await until(async () => stack.process.exitCode !== null);
    expect(stack.process.exitCode).toBe(1);
    expect(performance.now() - startMs).toBeLessThan(5000);
    await until(async () => isGone(services));
    held.process.kill("SIGKILL");
    await held.ended;
  });

  it("ends when it is interrupted while it makes sample data", async () => {
    await copyMigratedDatabase(data.path);
    const parameters = ["start", "--port", "0", "--offers", "3000", "--data-dir", data.path];
    const running = startCli(parameters, { env: freeServicePorts });
    await until(async () => (await markerOf(data))?.state === "started");
    running.process.kill("SIGINT");
    expect((await running.ended).status).toBe(1);
    expect((await markerOf(data))?.state).toBe("started");
  });

  it("says in one sentence that a port is in use", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const { status, stderr } = await runCli(
        ["start", "--empty", "--port", String(port), "--data-dir", data.path],
        { env: freeServicePorts },
      );
      expect(status).toBe(1);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toContain(String(port));
    } finally {
      server.close();
    }
  });

  it.each(["6000", "6667", "10080"])(
    "says in one sentence that no browser could reach it on port %s",
    async (port) => {
      const { status, stderr } = await runCli(
        ["start", "--empty", "--port", port, "--data-dir", data.path],
        { env: freeServicePorts },
      );
      expect(status).toBe(1);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toContain(port);
    },
  );

  it("says in one sentence that the data directory is in use, or from a newer version", async () => {
    const stack = await start(["--empty"]);
    const parameters = ["start", "--empty", "--port", "0", "--data-dir", data.path];
    const second = await runCli(parameters, { env: freeServicePorts });
    expect(second.status).toBe(1);
    expect(second.stderr.trim().split("\n")).toHaveLength(1);
    expect(await healthOf(stack)).toBe(200);
    await stack.stop();
    await writeFile(data.file("version"), "999\n");
    const newer = await runCli(parameters, { env: freeServicePorts });
    expect(newer.status).toBe(1);
    expect(newer.stderr.trim().split("\n")).toHaveLength(1);
  });
});
