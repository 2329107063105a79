import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProgram } from "./releases/start-program.ts";
import { copyMigratedDatabase } from "./stack/copy-migrated-database.ts";
import { makeTemporaryDirectory } from "./stack/temporary-directory.ts";
import type { TemporaryDirectory } from "./stack/temporary-directory.ts";

/** A server program. */
export interface MainOptions {
  /** File URL of its main module. */
  readonly main: URL;
  /** A valid environment, without ports and the address of a database. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it needs a database; it gets a migrated one, since each migration takes seconds. */
  readonly hasDatabase: boolean;
  /** Variables of its ports; the first is that of HTTP, and one test occupies its port. */
  readonly ports: readonly [string, ...string[]];
  /** Invalid environments, by what is wrong with them. */
  readonly wrong: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** A request that gets a response without a database: path, and body of a POST. */
  readonly request: { readonly path: string; readonly body?: string };
}

/**
 * Checks that a program which cannot start exits with status 1 and one sentence for its operator, and that a
 * program continues to serve for its lame-duck time after SIGTERM and exits with status 0.
 */
export function describeMain({ main, ports, wrong, request, ...given }: MainOptions): void {
  let { env } = given;
  let data: TemporaryDirectory | undefined;
  beforeAll(async () => {
    if (!given.hasDatabase) return;
    data = await makeTemporaryDirectory();
    await copyMigratedDatabase(data.path);
    env = { ...env, DATABASE_URL: `pglite:${data.path}` };
  });
  afterAll(() => data?.remove());

  const refusal = { status: 1, lines: [expect.stringMatching(/\.$/), ""] };
  const freePorts = Object.fromEntries(ports.map((name) => [name, "0"]));
  async function endOf(variables: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [fileURLToPath(main)], {
      env: { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...variables },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
    return { status: child.exitCode, lines: stderr.split("\n") };
  }

  describe("a process that cannot start exits with status 1 and one sentence", () => {
    it.each(Object.entries(wrong))("with %s", async (_, variables) => {
      expect(await endOf(variables)).toEqual(refusal);
    });

    it("that names all invalid variables", async () => {
      const values = {
        [ports[0]]: "x",
        LOG_LEVEL: "loud",
        SHUTDOWN_DELAY_SECONDS: "soon",
        ...(given.hasDatabase && { DATABASE_URL: "mysql://localhost/x" }),
      };
      const { lines } = await endOf({ ...env, ...values });
      for (const name of Object.keys(values)) expect(lines[0]).toContain(name);
    });

    it("with a port that is taken", async () => {
      await using other = createServer().listen(0);
      await once(other, "listening");
      const { port } = other.address() as AddressInfo;
      const end = await endOf({ ...env, ...freePorts, [ports[0]]: String(port) });
      expect(end).toEqual(refusal);
    });
  });

  describe("a process that gets SIGTERM", () => {
    it("serves new connections for its lame-duck time, not ready, and exits with status 0", async () => {
      // Long enough for all requests below on a busy machine.
      const lameDuck = { SHUTDOWN_DELAY_SECONDS: "3", SHUTDOWN_TIMEOUT_SECONDS: "5" };
      const child = await startProgram({
        main: fileURLToPath(main),
        env: { ...env, ...freePorts, ...lameDuck },
      });
      const { url } = child;
      const stopped = child.stop();
      await expect
        .poll(async () => await (await fetch(`${url}/readyz`)).text())
        .toMatch(/draining|shutting down/);
      const headers = { "content-type": "application/json", connection: "close" };
      const responses = [
        await fetch(`${url}/readyz`, { headers }),
        await fetch(`${url}/livez`, { headers }),
        await fetch(`${url}${request.path}`, {
          headers,
          ...(request.body === undefined ? {} : { method: "POST", body: request.body }),
        }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([503, 200, 200]);
      expect(await stopped).toBe(0);
      await expect(fetch(`${url}/livez`)).rejects.toMatchObject({
        cause: { code: "ECONNREFUSED" },
      });
    });
  });
}
