import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A double in a process of its own. */
export interface TypesenseProcess {
  /** `http://127.0.0.1:port`. */
  url: string;
  /** Ends the process and waits for its end. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("main.ts", import.meta.url));

/**
 * Starts a double of Typesense in a process of its own, for tests whose own work would keep it from answering
 * in time. It ends with this process, however that ends.
 *
 * @param apiKey the only key that is accepted
 * @throws Error when the process ends before it listens
 */
export async function startTypesenseProcess(apiKey: string): Promise<TypesenseProcess> {
  const child = spawn(process.execPath, [program, "--port", "0", "--api-key", apiKey], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const { stdout } = child;
  if (stdout === null) throw new TypeError("the double's output is not piped");
  const ended = once(child, "close");
  const listening = Promise.withResolvers<string>();
  createInterface({ input: stdout }).on("line", (line) => {
    const [url] = /http:\S+/u.exec(line) ?? [];
    if (url !== undefined) listening.resolve(url);
  });
  void ended.then(() =>
    listening.reject(new Error("The double of Typesense ended before it listened.")),
  );
  const url = await listening.promise;
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
