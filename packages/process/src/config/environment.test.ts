import { expect, test } from "vitest";
import { z } from "zod";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ConfigError,
  hasNoEffectWithout,
  isRequiredWith,
  parseEnvironment,
  zLogLevel,
  zPort,
  zTokens,
  zUrl,
} from "../index.ts";
import type { EnvironmentRule } from "../index.ts";

const zConfig = z.object({
  PORT: zPort.default(4000),
  LOG_LEVEL: zLogLevel.default("info"),
  CATALOG_URL: zUrl,
  INGEST_TOKEN: zTokens,
});
const valid = { CATALOG_URL: "http://catalog:4101/", INGEST_TOKEN: "0123456789abcdef" };

function failureOf(
  env: Record<string, string>,
  rules: readonly EnvironmentRule[] = [],
): ConfigError {
  try {
    parseEnvironment([zConfig], env, rules);
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error("no ConfigError");
}

test("returns typed values and defaults, and ignores other variables", () => {
  expect(parseEnvironment([zConfig], { ...valid, PORT: "0", HOME: "/root" })).toEqual([
    {
      PORT: 0,
      LOG_LEVEL: "info",
      CATALOG_URL: "http://catalog:4101",
      INGEST_TOKEN: ["0123456789abcdef"],
    },
  ]);
});

test("treats an empty variable as absent", () => {
  expect(parseEnvironment([zConfig], { ...valid, PORT: "" })[0].PORT).toBe(4000);
});

test("names every wrong variable, once and in the schema's order, in one sentence", () => {
  const error = failureOf({ PORT: "70000", LOG_LEVEL: "loud", CATALOG_URL: "ftp://x" });
  expect(error.variables).toEqual(["PORT", "LOG_LEVEL", "CATALOG_URL", "INGEST_TOKEN"]);
  expect(error.message.split("\n")).toHaveLength(1);
});

test.each(["-1", "65536", "4e3", "x", "123456"])("rejects %s as a port", (port) => {
  expect(failureOf({ ...valid, PORT: port }).variables).toEqual(["PORT"]);
});

test("accepts several tokens, none of them short", () => {
  const two = { ...valid, INGEST_TOKEN: "0123456789abcdef, fedcba9876543210" };
  expect(parseEnvironment([zConfig], two)[0].INGEST_TOKEN).toEqual([
    "0123456789abcdef",
    "fedcba9876543210",
  ]);
  for (const wrong of ["0123456789abcdef,short", "0123456789abcdef,", ",", "0123456789,abcdef"]) {
    expect(failureOf({ ...valid, INGEST_TOKEN: wrong }).variables).toEqual(["INGEST_TOKEN"]);
  }
});

test("does not reveal the value of a wrong secret", () => {
  expect(failureOf({ ...valid, INGEST_TOKEN: "short" }).message).not.toContain("short");
});

async function fileWith(content: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "storefront-config-")), "secret");
  await writeFile(path, content);
  return path;
}

test("reads a secret from the file that <NAME>_FILE names, without its line end", async () => {
  const { INGEST_TOKEN: _, ...others } = valid;
  const path = await fileWith("a-token-in-a-file\n");
  const [config] = parseEnvironment([zConfig], { ...others, INGEST_TOKEN_FILE: path });
  expect(config.INGEST_TOKEN).toEqual(["a-token-in-a-file"]);
});

test("reports a missing file of a secret, and one set together with its secret, with the other problems", async () => {
  const missing = failureOf({ PORT: "x", INGEST_TOKEN_FILE: "/nowhere/token" });
  expect(missing.variables).toEqual(["INGEST_TOKEN_FILE", "PORT", "CATALOG_URL"]);
  const twice = failureOf({ ...valid, INGEST_TOKEN_FILE: await fileWith("another-token-here") });
  expect(twice.message).toContain("INGEST_TOKEN_FILE must not be set beside INGEST_TOKEN");
});

test("does not reveal a wrong secret from a file", async () => {
  const { INGEST_TOKEN: _, ...others } = valid;
  const error = failureOf({ ...others, INGEST_TOKEN_FILE: await fileWith("short") });
  expect(error.variables).toEqual(["INGEST_TOKEN"]);
  expect(error.message).not.toContain("short");
});

test("reads files for secrets only", () => {
  expect(parseEnvironment([zConfig], { ...valid, PORT_FILE: "/nowhere" })[0].PORT).toBe(4000);
});

test("reports a variable without the one that it needs, together with other problems", () => {
  const rules = [hasNoEffectWithout("PORT", "HOST"), isRequiredWith("HOST", "CATALOG_URL")];
  const error = failureOf({ ...valid, PORT: "1", LOG_LEVEL: "loud" }, rules);
  expect(error.variables).toEqual(["LOG_LEVEL", "PORT", "HOST"]);
  expect(error.message).toContain("PORT has no effect without HOST");
  expect(error.message).toContain("HOST is required with CATALOG_URL");
});
