import { expect, test } from "vitest";
import { z } from "zod";
import { ConfigError, parseEnvironment, zLogLevel, zPort, zToken, zUrl } from "./index.ts";

const zConfig = z.object({
  PORT: zPort.default(4000),
  LOG_LEVEL: zLogLevel.default("info"),
  CATALOG_URL: zUrl,
  INGEST_TOKEN: zToken,
});
const valid = { CATALOG_URL: "http://catalog:4101/", INGEST_TOKEN: "0123456789abcdef" };

function failureOf(env: Record<string, string>): ConfigError {
  try {
    parseEnvironment(zConfig, env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error("no ConfigError");
}

test("gives typed values and defaults, and ignores other variables", () => {
  expect(parseEnvironment(zConfig, { ...valid, PORT: "0", HOME: "/root" })).toEqual({
    PORT: 0,
    LOG_LEVEL: "info",
    CATALOG_URL: "http://catalog:4101",
    INGEST_TOKEN: "0123456789abcdef",
  });
});

test("takes an empty variable for an absent one", () => {
  expect(parseEnvironment(zConfig, { ...valid, PORT: "" }).PORT).toBe(4000);
});

test("names every wrong variable, once and in the schema's order, in one sentence", () => {
  const error = failureOf({ PORT: "70000", LOG_LEVEL: "loud", CATALOG_URL: "ftp://x" });
  expect(error.variables).toEqual(["PORT", "LOG_LEVEL", "CATALOG_URL", "INGEST_TOKEN"]);
  expect(error.message.split("\n")).toHaveLength(1);
});

test.each(["-1", "65536", "4e3", "x", "123456"])("refuses %s as a port", (port) => {
  expect(failureOf({ ...valid, PORT: port }).variables).toEqual(["PORT"]);
});

test("does not repeat the value of a wrong secret", () => {
  expect(failureOf({ ...valid, INGEST_TOKEN: "short" }).message).not.toContain("short");
});
