import { createLogger, createMetrics } from "@storefront/process";
import { EventEmitter } from "node:events";
import { providePart, serve } from "../../src/index.ts";
import type { ProvideOptions, RunningServer, ServeOptions } from "../../src/index.ts";
import { EchoService } from "../gen/rpctest/v1/echo_service_pb.ts";
import { createEchoService } from "./echo-service.ts";

/** A running server of the EchoService, what its handlers emit, and the lines it has logged. */
export interface EchoServer extends RunningServer {
  baseUrl: string;
  grpcUrl: string;
  address: string;
  events: EventEmitter;
  logLines: Record<string, unknown>[];
}

/** Serves EchoService on free ports of the loopback address. */
export async function startEchoServer(
  options: ProvideOptions & Partial<ServeOptions> = {},
): Promise<EchoServer> {
  const { tokens, ...serveOptions } = options;
  const events = new EventEmitter();
  const logLines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string): void => {
      logLines.push(JSON.parse(line) as Record<string, unknown>);
    },
  };
  const server = await serve({
    name: "echo",
    host: "127.0.0.1",
    port: 0,
    grpcPort: 0,
    logger: createLogger({ service: "echo", destination }),
    metrics: createMetrics({ service: "echo" }),
    services: [
      providePart(EchoService, createEchoService(events), tokens === undefined ? {} : { tokens }),
    ],
    ...serveOptions,
  });
  const [scheme, host] =
    serveOptions.tls === undefined ? ["http", "127.0.0.1"] : ["https", "localhost"];
  const address = `${host}:${server.grpcPort}`;
  return {
    ...server,
    baseUrl: `${scheme}://${host}:${server.port}`,
    grpcUrl: `${scheme}://${host}:${server.grpcPort}`,
    address: serveOptions.tls === undefined ? address : `https://${address}`,
    events,
    logLines,
  };
}
