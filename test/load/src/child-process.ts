import { fork } from "node:child_process";
import type { ChildProcess, Serializable } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A child process that responds to each message with one message. */
export interface Child {
  ask(message: Serializable): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts `file` (relative to this folder) as a process of its own; resolves with its first message. */
export async function startChild(
  file: string,
  args: readonly string[] = [],
): Promise<{ child: Child; first: unknown }> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const forked = fork(path, args, {
    // As in production, and as the peers' guides recommend.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const first = await nextMessage(forked, file);
  const child: Child = {
    async ask(message) {
      forked.send(message);
      return await nextMessage(forked, file);
    },
    async stop() {
      if (forked.exitCode !== null || forked.signalCode !== null) return;
      const exited = once(forked, "exit");
      forked.kill();
      await exited;
    },
  };
  return { child, first };
}

async function nextMessage(forked: ChildProcess, file: string): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`${file} ended with code ${code}`));
    forked.once("exit", onExit);
    forked.once("message", (message: unknown) => {
      forked.off("exit", onExit);
      resolve(message);
    });
  });
}
