import { createTerminal } from "../terminal/terminal.ts";
import { isForTheUser, messageOf } from "../user-error.ts";
import { makeSampleData } from "./make-sample-data.ts";
import type { SampleDataOptions } from "./make-sample-data.ts";

// A process that makes sample data and ends: see `makeSampleDataAside`.

// Whoever waits for it is gone, perhaps killed.
const end = () => process.exit(1);
process.once("disconnect", end);
// Ctrl-C reaches every process of the terminal; whoever waits for it says whether it ends.
process.on("SIGINT", () => undefined);

process.once("message", (options: SampleDataOptions) => void make(options));

async function make(options: SampleDataOptions): Promise<void> {
  try {
    await makeSampleData(options, createTerminal(process.stdout, process.stderr));
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined;
    if (!isForTheUser(error)) process.stderr.write(`${stack ?? String(error)}\n`);
    process.send?.(messageOf(error));
    process.exitCode = 1;
  }
  process.off("disconnect", end);
  process.disconnect();
}
