import type { ConfigError } from "@storefront/process";
import { expect, test } from "vitest";
import { gatewaySettingsOf } from "./config.ts";

const originsOf = (text: string) => gatewaySettingsOf({ CORS_ORIGINS: text }).gateway.corsOrigins;

test("allowed origins are listed as browsers send them", () => {
  const origins = ["https://shop.example", "http://localhost:3000"];
  expect(originsOf(` ${origins.join(" , ")},`)).toEqual(origins);
  expect(originsOf("")).toEqual([]);
});

test.for(["shop.example", "https://shop.example/", "https://shop.example:443", "*", "null"])(
  "%s is refused, since no browser sends it as an origin",
  (text) => {
    const CORS_ORIGINS = `https://other.example,${text}`;
    expect(problemsOf({ CORS_ORIGINS })).toMatchObject([{ variable: "CORS_ORIGINS" }]);
  },
);

const problemsOf = (env: Record<string, string>) => {
  try {
    gatewaySettingsOf(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

test("idle client connections stay open for KEEP_ALIVE_TIMEOUT_SECONDS", () => {
  const env = { KEEP_ALIVE_TIMEOUT_SECONDS: "75" };
  expect(gatewaySettingsOf(env).gateway.keepAliveTimeoutMs).toBe(75_000);
  expect(problemsOf({ KEEP_ALIVE_TIMEOUT_SECONDS: "0" })).toHaveLength(1);
});

test("all problems are reported at once, such as keys without a limit", () => {
  const keys = "shop:0123456789abcdef:100";
  expect(problemsOf({ API_KEYS: keys, STALL_TIMEOUT_MS: "4999", PORT: "x" })).toMatchObject([
    { variable: "PORT" },
    { variable: "STALL_TIMEOUT_MS" },
    { variable: "API_KEYS" },
  ]);
  expect(problemsOf({ API_KEYS: keys, RATE_LIMIT_PER_MINUTE: "10" })).toEqual([]);
});
