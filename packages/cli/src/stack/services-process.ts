import { isForTheUser, messageOf } from "../user-error.ts";
import { runServices } from "./run-services.ts";
import type { RunningServices } from "./run-services.ts";
import type { FromServices, ServicesOptions, ToServices } from "./services-message.ts";

// The process of the services, forked by the supervisor and spoken to over its channel.

// Longest drain and close, in milliseconds; services drain for 10 s at most.
const closeTimeoutMs = 15_000;

let running: Promise<RunningServices> | undefined;
let isStopping = false;

process.on("message", (message: ToServices) => {
  if (message.type === "start") void start(message.options);
  else if (message.type === "index") void running?.then((services) => services.startIndexing());
  else void stop();
});
// The supervisor is gone, perhaps killed.
process.on("disconnect", () => void stop());
process.on("SIGTERM", () => void stop());
// Ctrl-C reaches every process of the terminal, but the gateway goes first and then says `stop`.
process.on("SIGINT", () => undefined);

async function start(options: ServicesOptions): Promise<void> {
  try {
    running = runServices(options);
    const { ports } = await running;
    tell({ type: "ready", ports });
  } catch (error) {
    if (isStopping) return;
    const stack = error instanceof Error ? error.stack : undefined;
    if (!isForTheUser(error)) process.stderr.write(`${stack ?? String(error)}\n`);
    tell({ type: "failed", message: messageOf(error) });
    process.exitCode = 1;
    process.disconnect();
  }
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), closeTimeoutMs).unref();
  await running?.then((services) => services.close()).catch(() => undefined);
  process.exit(process.exitCode ?? 0);
}

function tell(message: FromServices): void {
  // A supervisor that is gone is noticed by the disconnection.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
