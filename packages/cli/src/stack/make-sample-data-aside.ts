import { fork } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";
import { UserError } from "../user-error.ts";
import type { SampleDataOptions } from "./make-sample-data.ts";

const program = fileURLToPath(new URL("sample-data-process.ts", import.meta.url));

/**
 * Makes sample data, as `makeSampleData` does, in a process that ends: the gateway's would keep some
 * 100 MiB of it. It writes to this process's standard error, and ends with it.
 *
 * @param ending breaks it off.
 * @throws UserError with the reason when it fails, AbortError when it is broken off.
 */
export async function makeSampleDataAside(
  options: SampleDataOptions,
  ending: AbortSignal,
): Promise<void> {
  const child = fork(program, [], {
    stdio: ["ignore", 2, 2, "ipc"],
    serialization: "advanced",
    // What this process was given to run with may be a test's or a profiler's.
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
    signal: ending,
  });
  let failure: string | undefined;
  child.once("message", (message: string) => {
    failure = message;
  });
  // An end before the message is sent is reported by `close`.
  child.send(options, () => undefined);
  const [status, signal] = await once(child, "close");
  if (status === 0) return;
  throw new UserError(failure ?? `The sample data was not made (${signal ?? `status ${status}`}).`);
}
