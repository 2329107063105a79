import { expect, test } from "vitest";
import { createLogger } from "../index.ts";

function collect() {
  const lines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string): void => {
      lines.push(JSON.parse(line) as Record<string, unknown>);
    },
  };
  return { lines, destination };
}

test("writes one JSON object per line, with level, time and service", () => {
  const { lines, destination } = collect();
  createLogger({ service: "catalog", destination }).info({ offerId: "o-1" }, "read");
  expect(lines).toEqual([
    { level: "info", time: expect.any(String), service: "catalog", offerId: "o-1", msg: "read" },
  ]);
  expect(Date.parse(String(lines[0]?.["time"]))).not.toBeNaN();
});

test("includes the causes of an error", () => {
  const { lines, destination } = collect();
  const err = new Error("outer", { cause: new Error("inner") });
  createLogger({ service: "catalog", destination }).error({ err }, "failed");
  expect(JSON.stringify(lines[0]?.["err"])).toContain("inner");
});

test("writes nothing below its level", () => {
  const { lines, destination } = collect();
  createLogger({ service: "catalog", level: "warn", destination }).info("read");
  expect(lines).toEqual([]);
});
