import { createGrpcTransport, createTransport, serve } from "@storefront/rpc";
import type {
  ClosableTransport,
  ProvidedService,
  ReadinessChecks,
  RunningServer,
} from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/process";

/** The token that services for tests require. */
export const ingestToken = "a token of sixteen letters";

export const silentLogger = createLogger({ service: "test", level: "silent" });

/** A service that listens, with a transport to each of its ports. */
export interface ServedForTests {
  readonly server: RunningServer;
  readonly url: string;
  readonly grpcAddress: string;
  /** To the Connect port. */
  readonly connect: ClosableTransport;
  /** To the gRPC port, with the token. */
  readonly grpc: ClosableTransport;
  close(): Promise<void>;
}

/** Serves parts of a service on ports of the system's choice. */
export async function serveForTests(
  name: string,
  parts: { services: readonly ProvidedService[]; readiness?: ReadinessChecks },
): Promise<ServedForTests> {
  const server = await serve({
    name,
    ...parts,
    host: "127.0.0.1",
    port: 0,
    grpcPort: 0,
    logger: silentLogger,
    metrics: createMetrics({ service: name }),
  });
  const url = `http://127.0.0.1:${server.port}`;
  const grpcAddress = `127.0.0.1:${server.grpcPort}`;
  const connect = createTransport({ baseUrl: url });
  const grpc = createGrpcTransport({ address: grpcAddress, token: ingestToken });
  return {
    server,
    url,
    grpcAddress,
    connect,
    grpc,
    async close() {
      // Ends streams that tests left open; transports would wait for them.
      await server.close();
      await Promise.all([connect.close(), grpc.close()]);
    },
  };
}
