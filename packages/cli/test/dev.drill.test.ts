import { serviceNames, serviceVariables } from "@storefront/process";
import { makeTemporaryDirectory, noOtherStack } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseInspected } from "../src/dev/dev-environment.ts";
import { makeDataDirectory } from "../src/stack/data-directory.ts";
import { writeSampleDataMarker } from "../src/stack/ensure-sample-data.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe("pnpm dev", () => {
  let copy: TemporaryDirectory;
  let dev: ChildProcess;
  let ready: { gatewayUrl: string; services: Record<string, { url: string }> };

  beforeAll(async () => {
    copy = await makeTemporaryDirectory();
    await copySources(copy);
    const dataDirectory = copy.file("data");
    await makeDataDirectory(dataDirectory);
    await writeSampleDataMarker(dataDirectory, "pglite:", { state: "none" });
    const parameters = ["--json", "--port", "0", "--data-dir", dataDirectory];
    dev = spawn(process.execPath, [copy.file("packages/cli/src/dev/main.ts"), ...parameters], {
      env: { ...process.env, ...noOtherStack, ...freePorts(), LOG_LEVEL: "error" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    ready = JSON.parse(await firstLine(dev)) as typeof ready;
  });
  afterAll(async () => {
    if (dev?.exitCode === null) {
      const ended = once(dev, "exit");
      dev.kill("SIGINT");
      await ended;
    }
    await copy?.remove();
  });

  it("serves an edited handler, and restarts only its service", async () => {
    const before = await startTimes();
    const handler = copy.file("services/catalog/src/rpc/items.ts");
    const original = await readFile(handler, "utf8");
    let page = 0;
    const total = async () => {
      page += 1;
      const response = await fetch(`${ready.gatewayUrl}/items?page=${page}`);
      return ((await response.json()) as { total?: number }).total;
    };
    for (const edited of [7, 8]) {
      await replaceFile(handler, original.replace("page.totalSize", `${edited}n`));
      await expect.poll(total).toBe(edited);
    }
    const after = await startTimes();
    expect(serviceNames.filter((name) => after[name] !== before[name])).toEqual(["catalog"]);
  });

  it("migrates and restarts a service that has a new migration", async () => {
    const before = await startTimes();
    const migration = copy.file("services/reviews/migrations/9999_probe.sql");
    await writeFile(migration, "create table probe (n integer)");
    await expect.poll(async () => (await startTimes())["reviews"]).not.toBe(before["reviews"]);
    await expect
      .poll(async () => (await fetch(`${ready.services["reviews"]?.url}/readyz`)).status)
      .toBe(200);
    const after = await startTimes();
    expect(serviceNames.filter((name) => after[name] !== before[name])).toEqual(["reviews"]);
  });

  it("shuts down on Ctrl-C", async () => {
    const ended = once(dev, "exit");
    dev.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    await expect(fetch(ready.gatewayUrl)).rejects.toBeInstanceOf(TypeError);
  });

  /** Start time of each service's process; undefined while it is down. */
  async function startTimes(): Promise<Record<string, string | undefined>> {
    const times = serviceNames.map(async (name) => {
      const response = await fetch(`${ready.services[name]?.url}/metrics`).catch(() => undefined);
      const text = await response?.text();
      return [name, /^process_start_time_seconds\S* (\S+)/m.exec(text ?? "")?.[1]] as const;
    });
    return Object.fromEntries(await Promise.all(times));
  }
});

describe("--inspect", () => {
  it("takes a process, and a port of its inspector", () => {
    expect(parseInspected("search")).toEqual({ name: "search", port: 9229 });
    expect(parseInspected("gateway:9230")).toEqual({ name: "gateway", port: 9230 });
    for (const text of ["orders", "search:", "search:0"]) {
      expect(() => parseInspected(text)).toThrow("--inspect");
    }
  });
});

/** Copies the sources that `pnpm dev` runs, with pnpm's links between the packages, but not targets outside. */
async function copySources(to: TemporaryDirectory): Promise<void> {
  for (const name of [
    "docs",
    "gateway",
    "packages",
    "proto",
    "services",
    "package.json",
    "tsconfig.json",
  ]) {
    await cp(join(root, name), to.file(name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !["dist", ".vite"].includes(basename(path)),
    });
  }
  await symlink(join(root, "node_modules"), to.file("node_modules"));
}

/** Replaces a file as git and many editors do: by renaming another one. */
async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

function freePorts(): Record<string, string> {
  const variables = serviceNames.flatMap((name) => {
    const { port, grpcPort } = serviceVariables(name);
    return [port, grpcPort];
  });
  return Object.fromEntries(variables.map((variable) => [variable, "0"]));
}

/** @throws Error when the process ends before. */
async function firstLine({ stdout, exitCode }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("no standard output");
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error(`pnpm dev ended before it was ready: ${exitCode}`);
}
