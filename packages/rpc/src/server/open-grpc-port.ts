import { logVerbosity, Server, setLogVerbosity } from "@grpc/grpc-js";
import type { MethodDefinition, UntypedHandleCall } from "@grpc/grpc-js";
import { subscribe } from "node:diagnostics_channel";
import type { Http2Session } from "node:http2";
import { createServer } from "node:net";
import { responseLimitBytes, requestLimitBytes } from "../limits.ts";
import type { Port, PortDependencies } from "./open-connect-port.ts";
import { grpcHandler } from "./grpc-handlers.ts";
import { listenOn, trackConnections } from "./create-http-server.ts";
import type { ProvidedService } from "./provide.ts";
import type { CallDependencies } from "./server-call.ts";
import { createGrpcCredentials } from "./server-tls.ts";
import { createReflection } from "./create-reflection.ts";
import { InFlight } from "./server-call.ts";
import { startGrpcHealth } from "./start-grpc-health.ts";

const serverOptions = {
  "grpc.max_receive_message_length": requestLimitBytes,
  "grpc.max_send_message_length": responseLimitBytes,
  // A client that vanished without closing is detected after 30 + 10 s.
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // Clients reconnect after 10 minutes and so find new instances; an import's stream may be longer.
  "grpc.max_connection_age_ms": 600_000,
  "grpc.max_connection_age_grace_ms": 3_600_000,
};

/** Listens for gRPC over HTTP/2, with health and reflection. @throws ListenError */
export async function openGrpcPort(
  port: number,
  host: string,
  dependencies: PortDependencies,
): Promise<Port> {
  const { services, readiness, tls } = dependencies;
  // Errors are thrown or sent; grpc-js would also write them to standard error as plain text.
  setLogVerbosity(logVerbosity.NONE);
  widenReceiveWindows();
  const server = new Server(serverOptions);
  for (const provided of services) addService(server, provided, dependencies);
  const descriptors = services.map(({ service }) => service);
  const serviceNames = descriptors.map(({ typeName }) => typeName);
  const health = await startGrpcHealth(serviceNames, readiness);
  const reflection = createReflection([...descriptors, health.provided.service]);
  for (const provided of [health.provided, ...reflection]) {
    // Clients leave these streams open; the server does not wait for them.
    addService(server, provided, { ...dependencies, inFlight: new InFlight() });
  }

  // A separate listener, since grpc-js, when it shuts down, waits for clients whose TLS handshake is in
  // progress, and without limit for those that never begin one.
  const injector = server.createConnectionInjector(createGrpcCredentials(tls));
  const listener = createServer({ noDelay: true }, (socket) => injector.injectConnection(socket));
  const cut = trackConnections(listener);
  const boundPort = await listenOn(listener, port, host).catch((error: unknown) => {
    health.stop();
    server.forceShutdown();
    throw error;
  });

  const closing = Promise.withResolvers<void>();
  return {
    port: boundPort,
    stopAccepting() {
      health.stop();
      listener.close(() => closing.resolve());
      // Sends clients to other instances. It does not reliably wait for them.
      server.tryShutdown(() => undefined);
    },
    closed: closing.promise,
    force() {
      server.forceShutdown();
      cut();
    },
  };
}

function addService(
  server: Server,
  { service, methods, authorize }: ProvidedService,
  dependencies: CallDependencies,
): void {
  const definition: Record<string, MethodDefinition<Buffer, Buffer>> = {};
  const handlers: Record<string, UntypedHandleCall> = {};
  for (const procedure of methods) {
    const { kind } = procedure;
    const { localName, name } = procedure.method;
    definition[localName] = {
      path: `/${service.typeName}/${name}`,
      requestStream: kind === "client_streaming" || kind === "bidi_streaming",
      responseStream: kind === "server_streaming" || kind === "bidi_streaming",
      // grpc-js passes bytes on unchanged; the handlers decode, so that they map malformed messages.
      requestSerialize: untouched,
      requestDeserialize: untouched,
      responseSerialize: untouched,
      responseDeserialize: untouched,
    };
    handlers[localName] = grpcHandler(procedure, { ...dependencies, authorize });
  }
  server.addService(definition, handlers);
}

function untouched(bytes: Buffer): Buffer {
  return bytes;
}

/**
 * Bytes that a client may send before the server acknowledges them: two batches of an import. The
 * protocol's default of 64 KiB costs sixteen turns of a busy event loop for each mebibyte.
 */
const windowBytes = 2 * 1024 * 1024;

const widened = new WeakSet<Http2Session>();
let isSubscribed = false;

/** Widens the windows of this process's HTTP/2 servers, for which grpc-js has an option on its clients only. */
function widenReceiveWindows(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe("http2.server.stream.created", (message) => {
    const session = sessionOf(message);
    if (session === undefined || widened.has(session)) return;
    widened.add(session);
    session.settings({ initialWindowSize: windowBytes });
    session.setLocalWindowSize(windowBytes);
  });
}

function sessionOf(message: unknown): Http2Session | undefined {
  if (typeof message !== "object" || message === null || !("stream" in message)) return undefined;
  const { session } = message.stream as { readonly session?: Http2Session };
  return session;
}
