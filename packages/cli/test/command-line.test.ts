import { makeTemporaryDirectory, runCli } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { readFile, stat } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../src/commands.ts";

/** Timeout of a test that creates an embedded database, in milliseconds. */
const embeddedTimeoutMs = 90_000;

describe("storefront", () => {
  let files: TemporaryDirectory;
  beforeAll(async () => {
    files = await makeTemporaryDirectory();
  });
  afterAll(() => files.remove());

  it.each([...commands.keys()])("explains every option of %s", async (name) => {
    const { status, stdout, stderr } = await runCli([name, "--help"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const option of Object.keys(commands.get(name)?.options ?? {})) {
      expect(stdout).toContain(`--${option}`);
    }
  });

  it.each([
    ["no command", []],
    ["an unknown command", ["fly"]],
    ["an unknown option", ["import", "--fly", "x"]],
    ["an import of nothing", ["import"]],
    ["an export to nowhere", ["export"]],
    ["a mirror of nothing", ["mirror"]],
    ["a mirror of what is no address", ["mirror", "shop.example"]],
    ["a kind that there is not", ["forget", "order", "1"]],
    ["a key with too few parts", ["forget", "price", "o"]],
    ["a number that is none", ["generate", "--out", "x", "--offers", "many"]],
    ["a service that there is not", ["migrate", "--service", "orders"]],
    ["two uses of standard output", ["generate", "--out", "-", "--json"]],
  ])("exits with status 2 on %s", async (_, parameters) => {
    expect((await runCli(parameters)).status).toBe(2);
  });

  it("generates the same file for the same seed and time", async () => {
    const generate = async (name: string) => {
      const out = files.file(name);
      const fixed = ["--offers", "20", "--seed", "s", "--now", "2026-01-01T00:00:00Z"];
      const { status, stdout } = await runCli(["generate", "--json", ...fixed, "--out", out]);
      expect(status).toBe(0);
      return { out, kinds: (JSON.parse(stdout) as { kinds: Record<string, number> }).kinds };
    };
    const plain = await generate("a.ndjson");
    const compressed = await generate("b.ndjson.gz");
    const text = await readFile(plain.out, "utf8");
    expect(gunzipSync(await readFile(compressed.out)).toString()).toBe(text);
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(Object.values(plain.kinds).reduce((sum, count) => sum + count, 0));
  });

  it("leaves no file when an export fails", async () => {
    const out = files.file("never.ndjson");
    const { status } = await runCli(["export", "--retry-for", "0", "--out", out], {
      env: {
        CATALOG_GRPC_URL: "127.0.0.1:1",
        PRICING_GRPC_URL: "127.0.0.1:1",
        REVIEWS_GRPC_URL: "127.0.0.1:1",
        INGEST_TOKEN: "a-token-long-enough",
      },
    });
    expect(status).toBe(1);
    await expect(stat(out)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(stat(`${out}.unfinished`)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("doctor reports each problem with a remedy", async () => {
    const { status, stdout } = await runCli(["doctor", "--json"], {
      env: {
        DATA_DIR: files.file("none"),
        INGEST_TOKEN: "short",
        CATALOG_URL: "http://127.0.0.1:1",
      },
    });
    expect(status).toBe(1);
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; problem?: string; remedy?: string }[];
    };
    const wrong = checks.filter(({ problem }) => problem !== undefined);
    expect(wrong.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["ingest token", "catalog service"]),
    );
    expect(wrong.every(({ remedy }) => remedy !== undefined)).toBe(true);
    // The stack that the variables name may use the ports of `start`.
    expect(checks.map(({ name }) => name)).not.toContain("ports");
  });

  it(
    "migrates one service in its own database, which doctor checks separately",
    async () => {
      const env = {
        CATALOG_DATABASE_URL: `pglite:${files.file("catalog")}`,
        DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      };
      const migrated = await runCli(["migrate", "--service", "catalog", "--json"], { env });
      expect(migrated.status).toBe(0);
      const { applied } = JSON.parse(migrated.stdout) as { applied: Record<string, string[]> };
      expect(Object.keys(applied)).toEqual(["catalog"]);
      expect(applied["catalog"]).toContain("0005_create_item_count");

      const { stdout } = await runCli(["doctor", "--json"], { env });
      const { checks } = JSON.parse(stdout) as { checks: { name: string; problem?: string }[] };
      expect(checks.map(({ name }) => name)).toContain("ports");
      expect(checks.filter(({ name }) => name.startsWith("database"))).toMatchObject([
        { name: "database of catalog", finding: expect.any(String) },
        { name: "database of pricing, reviews, changelog, search", problem: expect.any(String) },
      ]);
    },
    embeddedTimeoutMs,
  );
});
