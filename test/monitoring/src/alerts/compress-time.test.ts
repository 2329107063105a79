import { expect, test } from "vitest";
import { parse } from "yaml";
import { compressDuration, compressQuery, compressRules } from "./compress-time.ts";

const compression = { factor: 60, leastMs: 1000, leastRangeMs: 10_000 };

test.each([
  ["2m", "2000ms"],
  ["1h30m", "90000ms"],
  ["30s", "1000ms"],
])("a duration of %s becomes %s", (duration, expected) => {
  expect(compressDuration(duration, compression)).toBe(expected);
});

test("an invalid duration is rejected", () => {
  expect(() => compressDuration("soon", compression)).toThrow("soon");
});

test.each([
  ["rate(calls_total[30m])", "rate(calls_total[30000ms])"],
  ["rate(calls_total[5m])", "rate(calls_total[10000ms])"],
  ["max_over_time(up[1h:1m] offset 3m)", "max_over_time(up[60000ms:] offset 3000ms)"],
  ["feed_lag_seconds{service!~`a`} > 300", "feed_lag_seconds{service!~`a`} > 5"],
  ["max by (service) (feed_lag_seconds) > 30", "max by (service) (feed_lag_seconds) > 1"],
  ["call_duration_seconds:p99_5m > 1", "call_duration_seconds:p99_5m > 1"],
])("the query %s becomes %s", (query, expected) => {
  expect(compressQuery(query, compression)).toBe(expected);
});

test("only the times in rules change", () => {
  const rules = `groups:
  - name: some
    interval: 2m
    rules:
      - record: calls:rate5m
        expr: rate(calls_total[20m])
      - alert: Many
        expr: calls:rate5m > 5
        for: 10m
        labels:
          severity: page
        annotations:
          summary: For 10m there were 5m of [5m].
`;
  const expected = rules
    .replace("interval: 2m", "interval: 2000ms")
    .replace("[20m]", "[20000ms]")
    .replace("for: 10m", "for: 10000ms");
  expect(parse(compressRules(rules, compression))).toEqual(parse(expected));
});
