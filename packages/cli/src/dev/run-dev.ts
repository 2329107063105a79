import { byService, serviceNames } from "@storefront/process";
import type { Environment } from "@storefront/process";
import { serveExplorer } from "@storefront/explorer/dev";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandContext } from "../command.ts";
import { checkPorts, portsOfStack } from "../stack/check-ports.ts";
import {
  databaseUrlOf,
  makeDataDirectory,
  removeStackFile,
  writeStackFile,
} from "../stack/data-directory.ts";
import { ensureSampleData } from "../stack/ensure-sample-data.ts";
import { findIngestToken, makeIngestToken } from "../stack/ingest-token.ts";
import { listenForInterrupts } from "../stack/on-interrupt.ts";
import { printReady, untilOk } from "../stack/ready.ts";
import { stackSettingsOf } from "../stack/stack-environment.ts";
import { devEnvironment, withFixedPorts } from "./dev-environment.ts";
import type { DevEnvironmentOptions, Inspected, ProcessName } from "./dev-environment.ts";
import { startDevProcess } from "./dev-process.ts";
import type { DevProcess } from "./dev-process.ts";
import { watchSources } from "./watch-sources.ts";

interface DevOptions {
  /** Port of the gateway; default from the environment. */
  port: number | undefined;
  inspected: Inspected | undefined;
  /** Whether to write the addresses as JSON. */
  json: boolean;
}

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Offers of the sample data that the first start makes. */
const sampleOffers = 1000;

/**
 * Runs the stack from its sources until it is interrupted.
 *
 * @returns the exit status: 0 when it was ready.
 * @throws UserError when it cannot start.
 */
export async function runDev(options: DevOptions, context: CommandContext): Promise<number> {
  const interrupts = listenForInterrupts();
  const processes = new Map<ProcessName, DevProcess>();
  void interrupts.second.then(() => {
    for (const one of processes.values()) one.kill();
    process.exit(1);
  });
  // Closed in reverse order: the gateway before the services.
  await using opened = new AsyncDisposableStack();
  try {
    await startDev(options, context, { processes, opened, signal: interrupts.signal });
    await interrupts.first;
    return 0;
  } catch (error) {
    if (interrupts.signal.aborted) return 1;
    throw error;
  }
}

interface Running {
  processes: Map<ProcessName, DevProcess>;
  opened: AsyncDisposableStack;
  signal: AbortSignal;
}

/** @throws the signal's reason when it is aborted before the stack is ready. */
async function startDev(
  { port, inspected, json }: DevOptions,
  { env: given, dataDirectory, terminal }: CommandContext,
  { processes, opened, signal }: Running,
): Promise<void> {
  const env: Environment = port === undefined ? given : { ...given, PORT: String(port) };
  await makeDataDirectory(dataDirectory);
  const settings = await withFixedPorts(stackSettingsOf(env));
  await checkPorts(portsOfStack(settings));
  const ingestToken = await makeIngestToken(dataDirectory, env);
  const environment: DevEnvironmentOptions = { env, dataDirectory, ingestToken, settings };
  const start = (name: ProcessName) => {
    const started = startDevProcess({
      ...programOf(name),
      env: devEnvironment(name, environment),
      inspectPort: inspected?.name === name ? inspected.port : undefined,
      note: (line) => terminal.note(`${name.padEnd(9)} | ${line}`),
    });
    processes.set(name, started);
    return started;
  };
  opened.defer(
    watchSources(
      root,
      (paths) => {
        for (const one of processes.values()) one.handleChange(paths);
      },
      terminal.note,
    ),
  );
  const started = serviceNames.map(start);
  opened.defer(async () => {
    await Promise.all(started.map((service) => service.stop()));
  });
  const services = byService((name) => ({
    url: `http://127.0.0.1:${settings.ports[name].port}`,
    grpcAddress: `127.0.0.1:${settings.ports[name].grpcPort}`,
  }));
  await Promise.all(serviceNames.map((name) => untilOk(`${services[name].url}/readyz`, signal)));
  await ensureSampleData({
    dataDirectory,
    databaseUrl: databaseUrlOf(dataDirectory, env),
    offers: sampleOffers,
    addresses: services,
    tokenOf: (service) => findIngestToken(dataDirectory, env, service),
    signal,
  });
  const gatewayUrl = `http://127.0.0.1:${settings.gatewayPort}`;
  const gateway = start("gateway");
  opened.defer(() => gateway.stop());
  const explorer = await serveExplorer(gatewayUrl);
  opened.defer(() => explorer.close());
  await writeStackFile(dataDirectory, { pid: process.pid, gatewayUrl, services });
  opened.defer(() => removeStackFile(dataDirectory));
  await untilOk(`${gatewayUrl}/health`, signal);
  printReady(json, { gatewayUrl, explorerUrl: explorer.url, services }, terminal);
}

function programOf(name: ProcessName) {
  if (name === "gateway") {
    return { program: join(root, "gateway/src/main.ts"), parameters: [], startFiles: undefined };
  }
  return {
    program: fileURLToPath(new URL("service-process.ts", import.meta.url)),
    parameters: [name],
    startFiles: join(root, "services", name, "migrations"),
  };
}
