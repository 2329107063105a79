import { startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fetchDocumented } from "./fetch-documented.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startStack({ parameters: ["--offers", "30"] });
});
afterAll(() => stack.stop());

const itemCount = async () => {
  const { body } = await fetchDocumented(`${stack.gatewayUrl}/items`);
  return (JSON.parse(body) as { total: number }).total;
};
const health = async () => (await fetchDocumented(`${stack.gatewayUrl}/health`)).status;

it("a stack keeps answering and has its services back within 10 s when they are killed", async () => {
  const count = await itemCount();
  const killed = await stack.servicesPid();
  process.kill(killed, "SIGKILL");
  await expect.poll(health).toBe(503);
  const startMs = performance.now();
  await expect.poll(health).toBe(200);
  expect(performance.now() - startMs).toBeLessThan(10_000);
  expect(await stack.servicesPid()).not.toBe(killed);
  expect(await itemCount()).toBe(count);
});
