import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const index = new URL("../index.ts", import.meta.url).href;

/** Runs a process with this code as `close`, sends it SIGTERM, and returns its exit status and standard error. */
async function endOf(close: string) {
  const program = `
    import { startProcess } from ${JSON.stringify(index)};
    setInterval(() => undefined, 1000);
    await startProcess(async () => ({ close: ${close}, closeTimeoutMs: 100 }));
    console.log("running");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [stderr] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { status: child.exitCode, stderr };
}

test("a process that gets SIGTERM closes and exits with status 0", async () => {
  expect(await endOf("async () => undefined")).toEqual({ status: 0, stderr: "" });
});

test("one whose close hangs exits with status 1 and a sentence", async () => {
  const end = await endOf("() => new Promise(() => undefined)");
  expect(end).toEqual({ status: 1, stderr: "It did not close within 100 ms.\n" });
});

test("one whose close fails prints the error, and exits with status 1", async () => {
  const end = await endOf("() => Promise.reject(new Error('no end'))");
  expect(end).toEqual({ status: 1, stderr: "Error: no end\n" });
});
