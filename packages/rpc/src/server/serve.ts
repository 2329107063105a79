import { Code, ConnectError } from "@connectrpc/connect";
import { defaultShutdownTimeoutMs, reportGauge, settledWithin } from "@storefront/process";
import type { Logger, Metrics, ProcessOptions, ServicePorts, Tracer } from "@storefront/process";
import { setTimeout } from "node:timers/promises";
import { defaultCallTimeoutMs } from "../limits.ts";
import { openConnectPort } from "./open-connect-port.ts";
import { openGrpcPort } from "./open-grpc-port.ts";
import { InFlight } from "./server-call.ts";
import { CallObserver } from "./call-observer.ts";
import type { ProvidedService } from "./provide.ts";
import { Readiness } from "./readiness.ts";
import type { ReadinessChecks } from "./readiness.ts";
import { checkServerTls } from "./server-tls.ts";
import type { ServerTls } from "./server-tls.ts";

const flushTimeoutMs = 500;

/** Options of a server; by default on all addresses of IPv4, and without a delay before its shutdown. */
export interface ServeOptions extends ServicePorts, Partial<Omit<ProcessOptions, "logLevel">> {
  /** Name of the server in its logs. */
  name: string;
  services: readonly ProvidedService[];
  /** Enables TLS on both ports; default plain text, which for gRPC is h2c. */
  tls?: ServerTls | undefined;
  logger: Logger;
  metrics: Metrics;
  /** Traces the calls; default: nothing is traced. Its owner closes it, after the server. */
  tracer?: Tracer | undefined;
  /** Deadline of unary calls that come without one, in milliseconds; default 10 s. */
  callTimeoutMs?: number | undefined;
  /** Checks that must succeed for the server to be ready; default none. */
  readiness?: ReadinessChecks;
}

/** A running server. */
export interface RunningServer {
  readonly port: number;
  readonly grpcPort: number;
  /**
   * Drains: reports not ready, continues to serve for `shutdownDelayMs`, stops accepting, lets calls in
   * progress finish within `shutdownTimeoutMs`, aborts the rest (`unavailable`), and soon cuts off handlers
   * that ignore their signal. Later calls join the first.
   */
  close(): Promise<void>;
}

/** Serves one set of handlers on two ports; resolves when both listen. @throws ListenError, TlsError */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { name, services, host = "0.0.0.0", metrics } = options;
  const { shutdownDelayMs = 0, shutdownTimeoutMs = defaultShutdownTimeoutMs } = options;
  const { callTimeoutMs = defaultCallTimeoutMs } = options;
  const logger = options.logger.child({ server: name });
  const readiness = new Readiness(options.readiness ?? {}, logger);
  const inFlight = new InFlight();
  reportGauge(
    metrics,
    { name: "rpc_server_calls_in_flight", help: "Calls in progress, streams included." },
    () => [[{}, inFlight.count]],
  );
  const observer = new CallObserver(logger, metrics, options.tracer);
  const { tls } = options;
  if (tls !== undefined) checkServerTls(tls);
  const calls = { services, observer, inFlight, callTimeoutMs };
  const dependencies = { ...calls, readiness, metrics, logger, tls };

  const connectPort = await openConnectPort(options.port, host, dependencies);
  const grpcPort = await openGrpcPort(options.grpcPort, host, dependencies).catch(
    async (error: unknown) => {
      connectPort.stopAccepting();
      await connectPort.closed;
      throw error;
    },
  );
  logger.info({ port: connectPort.port, grpcPort: grpcPort.port }, "listening");

  async function drain(): Promise<void> {
    readiness.drain();
    if (shutdownDelayMs > 0) await setTimeout(shutdownDelayMs);
    const ports = [connectPort, grpcPort];
    for (const port of ports) port.stopAccepting();
    for (const provided of services) provided.drain?.();
    const idle = await inFlight.idle(shutdownTimeoutMs);
    if (!idle) {
      logger.warn({ shutdownTimeoutMs }, "calls were stopped");
      inFlight.stop(new ConnectError("the service is shutting down", Code.Unavailable));
    }
    // Responses may still be in transit; watchers of health and reflection never disconnect themselves.
    const closed = Promise.all(ports.map((port) => port.closed));
    await settledWithin(flushTimeoutMs, closed);
    for (const port of ports) port.force();
    await closed;
    logger.info("closed");
  }

  let closing: Promise<void> | undefined;
  return {
    port: connectPort.port,
    grpcPort: grpcPort.port,
    close: async () => await (closing ??= drain()),
  };
}
