import { expect, test } from "vitest";
import { serverTiming } from "./context-headers.ts";

test("a method is named once, with its longest call and how often it was called", () => {
  const calls = [
    { name: "catalog.GetOffer", durationMs: 1.26 },
    { name: "pricing.BatchGetPrices", durationMs: 2 },
    { name: "catalog.GetOffer", durationMs: 3.04 },
  ];
  expect(serverTiming(calls)).toBe(
    'catalog.GetOffer;dur=3.0;desc="2 calls", pricing.BatchGetPrices;dur=2.0',
  );
});

test("of many methods the slowest are named, in less than a kibibyte", () => {
  const calls = Array.from({ length: 3000 }, (_none, index) => ({
    name: `changelog.${"Method".repeat(4)}${index % 1000}`,
    durationMs: (index % 1000) + 0.1,
  }));
  const value = serverTiming(calls);
  expect(value.length).toBeLessThan(1024);
  expect(value).toMatch(/^changelog\.\w+999;dur=999\.1;desc="3 calls", /);
  expect(value.split(", ")).toHaveLength(16);
});
