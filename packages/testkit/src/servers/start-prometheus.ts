import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./find-program.ts";
import { freePort } from "./free-port.ts";
import { startProcess } from "./server-process.ts";
import type { TestServer } from "./server-process.ts";

/** Why there is no Prometheus with an Alertmanager, undefined when both are installed. */
export function missingPrometheus(): string | undefined {
  return alertmanagerProgram() === undefined || findProgram("prometheus") === undefined
    ? "no Prometheus: install prometheus and prometheus-alertmanager"
    : undefined;
}

/**
 * Starts a Prometheus of its own.
 *
 * @param files of its directory, by name; `prometheus.yaml` is its configuration
 */
export async function startPrometheus(
  files: Readonly<Record<string, string>>,
): Promise<TestServer> {
  const program = findProgram("prometheus");
  if (program === undefined) throw new Error("Prometheus is not installed.");
  return await startWithFiles(program, files, (port) => ({
    parameters: [
      "--config.file=prometheus.yaml",
      "--storage.tsdb.path=data",
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    readyText: "Server is ready to receive web requests",
  }));
}

/** Starts an Alertmanager of its own, alone. */
export async function startAlertmanager(configuration: string): Promise<TestServer> {
  const program = alertmanagerProgram();
  if (program === undefined) throw new Error("Alertmanager is not installed.");
  return await startWithFiles(program, { "alertmanager.yaml": configuration }, (port) => ({
    parameters: [
      "--config.file=alertmanager.yaml",
      "--storage.path=data",
      "--cluster.listen-address=",
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    readyText: `127.0.0.1:${port}`,
  }));
}

/** Debian's name, and Prometheus's own. */
function alertmanagerProgram(): string | undefined {
  return findProgram("prometheus-alertmanager") ?? findProgram("alertmanager");
}

async function startWithFiles(
  program: string,
  files: Readonly<Record<string, string>>,
  commandOf: (port: number) => { parameters: string[]; readyText: string },
): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), "storefront-prometheus-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const port = await freePort();
  const stop = await startProcess({
    program,
    ...commandOf(port),
    options: { cwd: directory },
    stopSignal: "SIGTERM",
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
