import {
  copyMigratedDatabase,
  freePorts,
  makeTemporaryDirectory,
  runCli,
  startStack,
} from "@storefront/testkit";
import type { StackOptions, TemporaryDirectory, TestStack } from "@storefront/testkit";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchDocumented } from "../fetch-documented.ts";
import { hasEnded, itemCount } from "../stack-state.ts";
import type { SharedStack } from "./shared-stack.ts";

/** Tests of the shared stack. */
export function describeLifecycle(shared: () => SharedStack): void {
  describe("a stack", () => {
    let data: TemporaryDirectory;
    const stacks: TestStack[] = [];
    const start = async (
      parameters: string[],
      options: Pick<StackOptions, "makesDatabase"> = {},
    ) => {
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

    it("generates sample data on its first start, without a log line, and reuses it later", async () => {
      const first = await start(["--offers", "10"], { makesDatabase: true });
      expect(first.log()).not.toContain('"level"');
      const count = await itemCount(first);
      expect(count).toBeGreaterThan(0);
      expect((await first.stop()).status).toBe(0);
      const second = await start(["--offers", "20"]);
      expect(await itemCount(second)).toBe(count);
      expect(second.log()).not.toContain("sample data");
    });

    it("shuts down on Ctrl-C with status 0, leaves no process, releases the directory, and stays empty", async () => {
      const stack = await start(["--empty"]);
      expect(await itemCount(stack)).toBe(0);
      const services = await stack.servicesPid();
      const { status } = await stack.stop();
      expect(status).toBe(0);
      expect(hasEnded(services)).toBe(true);
      const { status: migrated, stdout } = await stack.cli(["migrate", "--json"]);
      expect(migrated).toBe(0);
      const names = ["catalog", "pricing", "reviews", "changelog", "search", "webhooks"];
      const none = Object.fromEntries(names.map((name) => [name, []]));
      expect(JSON.parse(stdout)).toEqual({ applied: none, newer: none });
      expect(await itemCount(await start([]))).toBe(0);
    });

    it("says in one sentence that a port is in use", async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      try {
        const { status, stderr } = await runCli(
          ["start", "--empty", "--port", String(port), "--data-dir", data.path],
          { env: freePorts },
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
          { env: freePorts },
        );
        expect(status).toBe(1);
        expect(stderr.trim().split("\n")).toHaveLength(1);
        expect(stderr).toContain(port);
      },
    );

    it("says in one sentence that the data directory is in use, or from a newer version", async () => {
      const startOn = (directory: string) => {
        const parameters = ["start", "--empty", "--port", "0", "--data-dir", directory];
        return runCli(parameters, { env: freePorts });
      };
      const { gatewayUrl, dataDirectory } = shared();
      const second = await startOn(dataDirectory);
      expect(second.status).toBe(1);
      expect(second.stderr.trim().split("\n")).toHaveLength(1);
      expect((await fetchDocumented(`${gatewayUrl}/health`)).status).toBe(200);
      await copyMigratedDatabase(data.path);
      await writeFile(data.file("version"), "999\n");
      const newer = await startOn(data.path);
      expect(newer.status).toBe(1);
      expect(newer.stderr.trim().split("\n")).toHaveLength(1);
    });
  });
}
