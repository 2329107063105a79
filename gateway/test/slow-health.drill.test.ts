import { expect, test } from "vitest";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test("health is 503 with the same body when a service does not respond, within 2 s", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("checkHealth", () => promise);
  const startedAt = performance.now();
  const { status, json, headers } = await stack().ask("/health");
  resolve();
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect(status).toBe(503);
  expect(headers["retry-after"]).toBeDefined();
  expect(json).toMatchObject({
    status: "error",
    services: { cache: { status: "ok" }, catalog: { status: "error", latency: null } },
    error: "UNAVAILABLE",
  });
});
