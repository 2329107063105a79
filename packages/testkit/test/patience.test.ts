import { expect, it, vi } from "vitest";

it("is set once, however often the module is loaded", async () => {
  const { waitFor, waitUntil } = vi;
  vi.resetModules();
  await import("../src/patience.ts");
  expect(vi.waitFor).toBe(waitFor);
  expect(vi.waitUntil).toBe(waitUntil);
});
