import { byService } from "@storefront/process";
import type { Environment, ServiceName } from "@storefront/process";
import { buildPagesAside, builtPages } from "@storefront/explorer";
import type { CommandContext } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { checkPorts, portsOfStack } from "./check-ports.ts";
import type { WantedPort } from "./check-ports.ts";
import {
  databaseUrlOf,
  makeDataDirectory,
  removeStackFile,
  writeStackFile,
} from "./data-directory.ts";
import type { ServiceAddress } from "./data-directory.ts";
import { findIngestToken, makeIngestToken } from "./ingest-token.ts";
import { listenForInterrupts } from "./on-interrupt.ts";
import { printReady, untilOk } from "./ready.ts";
import { stackEnvironment, stackSettingsOf } from "./stack-environment.ts";
import type { RunningGateway } from "./start-gateway.ts";
import type { IngestServer } from "../ingest/ingest-server.ts";
import { ingestSettingsOf } from "../ingest/ingest-settings.ts";
import type { IngestSettings } from "../ingest/ingest-settings.ts";
import { startSupervisor } from "./supervisor.ts";
import type { Supervisor } from "./supervisor.ts";
import { hasWebhooks, portsOfWebhooks, withWebhooks } from "./webhooks-environment.ts";

interface StartOptions {
  /** Port of the gateway; default from the environment. */
  port: number | undefined;
  /** Offers of the sample data; undefined for none. */
  sampleOffers: number | undefined;
  /** Files to import before the stack is ready. */
  files: readonly string[];
  /** Whether to write the addresses as JSON. */
  json: boolean;
}

/** The running parts, to be closed. */
interface Running {
  supervising?: Promise<Supervisor>;
  gateway?: RunningGateway;
  ingest?: IngestServer | undefined;
}

/**
 * Runs the stack until it is interrupted.
 *
 * @returns the exit status: 0 when it was ready, every file was imported completely, and it shut down.
 * @throws UserError when it cannot start.
 */
export async function runStart(options: StartOptions, context: CommandContext): Promise<number> {
  const interrupts = listenForInterrupts();
  const running: Running = {};
  const ended = new AbortController();
  const signal = AbortSignal.any([interrupts.signal, ended.signal]);
  void interrupts.second.then(async () => {
    (await running.supervising?.catch(() => undefined))?.kill();
    process.exit(1);
  });
  try {
    const status = await startStack(options, { running, signal }, context);
    await interrupts.first;
    return status;
  } catch (error) {
    if (interrupts.signal.aborted) return 1;
    throw error;
  } finally {
    ended.abort();
    await closeStack(context.dataDirectory, running);
  }
}

/** @throws the signal's reason when it is aborted before the stack is ready. */
async function startStack(
  options: StartOptions,
  { running, signal }: { running: Running; signal: AbortSignal },
  context: CommandContext,
): Promise<number> {
  const { port } = options;
  const { terminal, dataDirectory } = context;
  const given = port === undefined ? context.env : { ...context.env, PORT: String(port) };
  await makeDataDirectory(dataDirectory);
  const ingestToken = await makeIngestToken(dataDirectory, given);
  const databaseUrl = databaseUrlOf(dataDirectory, given);
  const env = await withWebhooks(stackEnvironment(given, { databaseUrl, ingestToken }));
  const ingest = env["INGEST_HTTP_PORT"] === undefined ? undefined : ingestSettingsOf(env);
  await checkPorts([
    ...portsOfStack(stackSettingsOf(env)),
    ...portsOfWebhooks(env),
    ...portsOfIngest(ingest),
  ]);
  running.supervising = startSupervisor(env, terminal.note);
  // A failure is thrown below, after the gateway is loaded.
  running.supervising.catch(() => undefined);
  const preparingPages = preparePages(terminal, signal);
  const loadGateway = await loadedGateway(env);
  const supervisor = await running.supervising;
  const services = byService((name) => ({
    url: `http://127.0.0.1:${supervisor.ports[name].port}`,
    grpcAddress: `127.0.0.1:${supervisor.ports[name].grpcPort}`,
  }));
  signal.throwIfAborted();

  // Loaded here, where the services do not wait for it.
  const { ensureSampleData } = await import("./ensure-sample-data.ts");
  await ensureSampleData({
    dataDirectory,
    databaseUrl,
    offers: options.sampleOffers,
    addresses: services,
    tokenOf: (service) => findIngestToken(dataDirectory, given, service),
    signal,
  });
  // Only now, so that it does not follow the writes of the sample data.
  const gateway = await loadGateway(services, await preparingPages);
  running.gateway = gateway;
  await writeStackFile(dataDirectory, { pid: process.pid, gatewayUrl: gateway.url, services });
  const isImported = await importFiles(options, context, signal);
  if (ingest !== undefined) {
    const { openIngest } = await import("../ingest/run-ingest.ts");
    // Standard output is for the command's own result.
    running.ingest = await openIngest(ingest, context, {
      destination: process.stderr,
      isAlone: false,
    });
  }
  supervisor.startIndexing();
  await untilOk(`${gateway.url}/health`, signal);
  const addresses = {
    gatewayUrl: gateway.url,
    explorerUrl: `${gateway.url}/explorer/`,
    ingestUrl: running.ingest && `http://127.0.0.1:${running.ingest.port}`,
    webhooksUrl: hasWebhooks(env) ? env["WEBHOOKS_URL"] : undefined,
    services,
  };
  printReady(options.json, addresses, terminal);
  return isImported ? 0 : 1;
}

function portsOfIngest(ingest: IngestSettings | undefined): WantedPort[] {
  if (ingest === undefined) return [];
  return [{ port: ingest.port, use: "ingest by HTTP", setting: "INGEST_HTTP_PORT" }];
}

/**
 * The gateway's code, loaded while the services start.
 *
 * @throws ConfigError when the environment is wrong, before any service has written anything.
 */
async function loadedGateway(env: Environment) {
  const { stackGatewaySettings, startGateway } = await import("./start-gateway.ts");
  const settings = stackGatewaySettings(env);
  return (
    services: Readonly<Record<ServiceName, ServiceAddress>>,
    pagesDirectory: string | undefined,
  ): Promise<RunningGateway> => startGateway(settings, services, pagesDirectory);
}

/** @returns whether every line was applied. */
async function importFiles(
  { files, json }: StartOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<boolean> {
  if (files.length === 0) return true;
  const { runImport } = await import("../import/run-import.ts");
  const { printSummary } = await import("../import/summary.ts");
  const summary = await runImport({ files, keepErrors: false, signal }, context);
  // Standard output is for the addresses then.
  if (!json) printSummary(context.terminal, summary);
  return summary.rejectedCount === 0;
}

/** The gateway and ingest first, so that they complete their requests; then the services. */
async function closeStack(dataDirectory: string, running: Running): Promise<void> {
  await Promise.all([running.gateway?.close(), running.ingest?.close()]);
  if (running.gateway !== undefined) await removeStackFile(dataDirectory);
  const supervisor = await running.supervising?.catch(() => undefined);
  await supervisor?.close();
}

/**
 * The explorer of the present sources, built if necessary.
 *
 * @param ending aborts the build.
 * @returns its directory; undefined when it cannot be built, which does not prevent the rest from running.
 */
async function preparePages(terminal: Terminal, ending: AbortSignal): Promise<string | undefined> {
  try {
    const pages = await builtPages();
    if (pages.isBuilt) return pages.directory;
    terminal.note("Building the explorer");
    await buildPagesAside(ending);
    return pages.directory;
  } catch (error) {
    if (ending.aborted) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    terminal.note(`The explorer could not be built, so that there is no /explorer/: ${reason}`);
    return undefined;
  }
}
