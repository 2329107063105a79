import { expect, test } from "vitest";
import { startTypesenseProcess } from "../src/index.ts";

test("a double in a process of its own answers until it is stopped", async () => {
  const { url, stop } = await startTypesenseProcess("key");
  const headers = { "x-typesense-api-key": "key" };
  expect((await fetch(`${url}/collections`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/collections`)).status).toBe(401);
  await stop();
  await expect(fetch(`${url}/health`)).rejects.toThrow(TypeError);
});
