import { spawn } from "node:child_process";
import type { SpawnOptions } from "node:child_process";
import { once } from "node:events";

/** A server that runs until it is stopped. */
export interface TestServer {
  url: string;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/** A program to run until it reports that it is ready. */
export interface ServerCommand {
  program: string;
  parameters: string[];
  options?: SpawnOptions;
  /** Text on either output that means that the server is ready. */
  readyText: string;
  /** Signal for a fast, orderly shutdown. */
  stopSignal: NodeJS.Signals;
}

/**
 * Starts a program and waits for its ready text.
 *
 * @returns a function that stops the program and waits for its end.
 * @throws Error with the program's output, when it ends before it is ready.
 */
export async function startProcess(command: ServerCommand): Promise<() => Promise<void>> {
  const child = spawn(command.program, command.parameters, {
    ...command.options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  // Reported through `ended` while it is awaited; afterwards an end is no error.
  ended.catch(() => undefined);
  let output = "";
  const ready = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes(command.readyText)) ready.resolve();
    });
  }
  const failed = ended.then(() => {
    throw new Error(`${command.program} ended before it was ready:\n${output}`);
  });
  failed.catch(() => undefined);
  await Promise.race([ready.promise, failed]);
  return async () => {
    child.kill(command.stopSignal);
    await ended;
  };
}
