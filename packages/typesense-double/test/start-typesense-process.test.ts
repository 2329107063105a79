import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test, vi } from "vitest";
import { startTypesenseProcess } from "../src/index.ts";

test("a double in a process of its own answers until it is stopped", async () => {
  const double = await startTypesenseProcess("key");
  const headers = { "x-typesense-api-key": "key" };
  expect((await fetch(`${double.url}/collections`, { headers })).status).toBe(200);
  expect((await fetch(`${double.url}/collections`)).status).toBe(401);
  await double.stop();
  await expect(fetch(`${double.url}/health`)).rejects.toThrow(TypeError);
});

test("a double ends with the process that started it, even one that is killed", async () => {
  const index = new URL("../src/index.ts", import.meta.url).href;
  // Its only output is the line that is read below.
  const script = `
    import { startTypesenseProcess } from ${JSON.stringify(index)};
    process.stdout.write((await startTypesenseProcess("key")).url + "\\n");
  `;
  const starter = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = (await once(createInterface({ input: starter.stdout }), "line")) as [string];
  expect((await fetch(`${url}/health`)).status).toBe(200);
  starter.kill("SIGKILL");
  await vi.waitFor(() => expect(fetch(`${url}/health`)).rejects.toThrow(TypeError));
});
