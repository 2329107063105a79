import { createLogger, createMetrics } from "@storefront/process";
import { openTlsCredentials } from "@storefront/rpc";
import type { CommandContext } from "../command.ts";
import { defaultRetryForMs } from "../import/import-sources.ts";
import { createServiceConnections } from "../stack/service-connections.ts";
import type { StackContext } from "../stack/service-connections.ts";
import { listenForInterrupts } from "../stack/on-interrupt.ts";
import { startIngestServer } from "./ingest-server.ts";
import type { IngestServer } from "./ingest-server.ts";
import { ingestSettingsOf } from "./ingest-settings.ts";
import type { IngestSettings } from "./ingest-settings.ts";

/** Longest that a client may send nothing, or not read the response, in milliseconds. */
const idleTimeoutMs = 120_000;

/**
 * Runs ingest by HTTP until it is interrupted.
 *
 * @throws ConfigError, ListenError, TlsError
 */
export async function runIngest(context: CommandContext): Promise<void> {
  const interrupts = listenForInterrupts();
  const server = await openIngest(ingestSettingsOf(context.env), context);
  void interrupts.second.then(() => process.exit(1));
  await interrupts.first;
  await server.close();
}

interface IngestParts {
  /** Destination of log lines; default standard output. */
  destination?: { write(line: string): void };
  /** Whether the process runs nothing else; default yes. */
  isAlone?: boolean;
}

/**
 * Starts ingest by HTTP into the stack that commands use.
 *
 * @throws ListenError, TlsError
 */
export async function openIngest(
  settings: IngestSettings,
  context: StackContext,
  { destination, isAlone = true }: IngestParts = {},
): Promise<IngestServer> {
  const { tlsFiles, logLevel: level } = settings;
  const logger = createLogger({ service: "ingest", level, ...(destination && { destination }) });
  await using opened = new AsyncDisposableStack();
  const tls = tlsFiles && (await openTlsCredentials({ ...tlsFiles, logger }));
  opened.defer(() => tls?.close());
  // Wrong variables are reported now, not with the first upload.
  await (await createServiceConnections(context))[Symbol.asyncDispose]();
  const server = await startIngestServer({
    ...settings,
    connect: () => createServiceConnections(context),
    retryForMs: defaultRetryForMs,
    idleTimeoutMs,
    logger,
    metrics: createMetrics({ service: "ingest", processMetrics: isAlone }),
    tls: tls?.current.cert && { credentials: tls, clientAuth: tlsFiles?.clientAuth },
  });
  opened.defer(() => server.close());
  const resources = opened.move();
  return { port: server.port, close: () => resources.disposeAsync() };
}
