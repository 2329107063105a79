import { expect, it, vi } from "vitest";

it("is set once, however often it is set up", async () => {
  const { waitFor, waitUntil } = vi;
  vi.resetModules();
  await import("../src/patience.ts");
  expect(vi.waitFor).toBe(waitFor);
  expect(vi.waitUntil).toBe(waitUntil);
});
