import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from "@grpc/grpc-js";
import type { MethodDefinition, UntypedHandleCall } from "@grpc/grpc-js";
import type { MethodImplSpec } from "@connectrpc/connect";
import { createSecureContext } from "node:tls";
import { answerLimitBytes, requestLimitBytes } from "../limits.ts";
import type { Port } from "./open-connect-port.ts";
import type { GrpcCallDependencies } from "./grpc-call-scope.ts";
import {
  bidiStreamingHandler,
  clientStreamingHandler,
  serverStreamingHandler,
  unaryHandler,
} from "./grpc-handlers.ts";
import { ListenError, listenError } from "./listen-error.ts";
import type { ProvidedService } from "./provide.ts";
import type { Readiness } from "./readiness.ts";
import { createReflection } from "./create-reflection.ts";
import { InFlight } from "./in-flight.ts";
import { startGrpcHealth } from "./start-grpc-health.ts";

/** What a server proves itself with; both in PEM. */
export interface GrpcTls {
  /** The server's certificate, then those that it depends on. */
  certificateChain: Buffer;
  /** Private key of the server's certificate, not encrypted. */
  privateKey: Buffer;
}

/** What the gRPC port uses. */
export interface GrpcPortDependencies extends Omit<GrpcCallDependencies, "authorize"> {
  services: readonly ProvidedService[];
  readiness: Readiness;
  tls: GrpcTls | undefined;
}

const serverOptions = {
  "grpc.max_receive_message_length": requestLimitBytes,
  "grpc.max_send_message_length": answerLimitBytes,
  // A caller that vanished without closing is noticed after 30 + 10 s.
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // Callers connect again after 10 minutes and so find new instances; an import's stream may be longer.
  "grpc.max_connection_age_ms": 600_000,
  "grpc.max_connection_age_grace_ms": 3_600_000,
};

/** Listens for gRPC over HTTP/2, with health and reflection. @throws ListenError */
export async function openGrpcPort(
  port: number,
  host: string,
  dependencies: GrpcPortDependencies,
): Promise<Port> {
  const { services, readiness, tls } = dependencies;
  const serverCredentials = credentialsOf(port, tls);
  // What goes wrong is thrown or answered; grpc-js would also write it to standard error as plain text.
  setLogVerbosity(logVerbosity.NONE);
  const server = new Server(serverOptions);
  for (const provided of services) addService(server, provided, dependencies);
  const descriptors = services.map(({ service }) => service);
  const serviceNames = descriptors.map(({ typeName }) => typeName);
  const health = await startGrpcHealth(serviceNames, readiness);
  const reflection = createReflection([...descriptors, health.provided.service]);
  for (const provided of [health.provided, ...reflection]) {
    // Callers of these leave their streams open; the server does not wait for them to close.
    addService(server, provided, { ...dependencies, inFlight: new InFlight() });
  }

  const bound = await new Promise<number>((resolve, reject) => {
    const address = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
    server.bindAsync(address, serverCredentials, (error, boundPort) => {
      if (error === null) resolve(boundPort);
      else reject(listenError(port, error));
    });
  }).catch((error: unknown) => {
    health.stop();
    throw error;
  });

  const closing = Promise.withResolvers<void>();
  return {
    port: bound,
    stopAccepting() {
      health.stop();
      server.tryShutdown(() => closing.resolve());
    },
    closed: closing.promise,
    force: () => server.forceShutdown(),
  };
}

function credentialsOf(port: number, tls: GrpcTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certificateChain, privateKey } = tls;
  try {
    // grpc-js would only log what is wrong with them, and refuse every connection.
    createSecureContext({ cert: certificateChain, key: privateKey });
  } catch (error) {
    throw new ListenError(
      `Cannot listen on port ${port}: its certificate and private key cannot be used.`,
      port,
      error,
    );
  }
  return ServerCredentials.createSsl(null, [
    { cert_chain: certificateChain, private_key: privateKey },
  ]);
}

function addService(
  server: Server,
  { service, methods, authorize }: ProvidedService,
  { observer, inFlight }: GrpcPortDependencies,
): void {
  const definition: Record<string, MethodDefinition<Buffer, Buffer>> = {};
  const handlers: Record<string, UntypedHandleCall> = {};
  for (const spec of methods) {
    const { localName, name } = spec.method;
    definition[localName] = {
      path: `/${service.typeName}/${name}`,
      requestStream: spec.kind === "client_streaming" || spec.kind === "bidi_streaming",
      responseStream: spec.kind === "server_streaming" || spec.kind === "bidi_streaming",
      // Bytes go through grpc-js untouched; the handlers decode, so that they map what is malformed.
      requestSerialize: untouched,
      requestDeserialize: untouched,
      responseSerialize: untouched,
      responseDeserialize: untouched,
    };
    handlers[localName] = handlerOf(spec, { authorize, observer, inFlight });
  }
  server.addService(definition, handlers);
}

function untouched(bytes: Buffer): Buffer {
  return bytes;
}

function handlerOf(spec: MethodImplSpec, dependencies: GrpcCallDependencies): UntypedHandleCall {
  switch (spec.kind) {
    case "unary":
      return unaryHandler(spec, dependencies);
    case "client_streaming":
      return clientStreamingHandler(spec, dependencies);
    case "server_streaming":
      return serverStreamingHandler(spec, dependencies);
    case "bidi_streaming":
    default:
      return bidiStreamingHandler(spec, dependencies);
  }
}
