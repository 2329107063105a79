import { expect, test } from "vitest";
import { startTypesenseProcess } from "../src/index.ts";

test("a double in a process of its own answers until it is stopped", async () => {
  const double = await startTypesenseProcess("key");
  const headers = { "x-typesense-api-key": "key" };
  expect((await fetch(`${double.url}/collections`, { headers })).status).toBe(200);
  expect((await fetch(`${double.url}/collections`)).status).toBe(401);
  await double.stop();
  await expect(fetch(`${double.url}/health`)).rejects.toThrow(TypeError);
});
