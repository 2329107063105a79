import { createContextValues } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { runStreamingCall, runUnaryCall } from "@connectrpc/connect/protocol";
import { Client, credentials } from "@grpc/grpc-js";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { responseLimitBytes, defaultCallTimeoutMs, requestLimitBytes } from "../limits.ts";
import type { TlsCredentials } from "../tls/open-tls-credentials.ts";
import { requireEncryption, withToken } from "./bearer-token.ts";
import { callGrpcStream, callGrpcUnary } from "./call-grpc.ts";
import type { ClosableTransport } from "./closable-transport.ts";
import { traceCalls } from "./trace-calls.ts";

/** How a service is called over gRPC. */
export interface GrpcTransportOptions {
  /** Host and port of the service's gRPC port: `catalog:4201` or, with TLS, `https://catalog:4201`. */
  address: string;
  /** For an `https://` address: whom to trust and what to show; default the authorities of Node. */
  tls?: TlsCredentials | undefined;
  /** Sent as `authorization: Bearer <token>`; default none. */
  token?: string | undefined;
  /** Deadline of calls that are given none, in milliseconds; default 10 s. 0 in a call's options means none. */
  defaultTimeoutMs?: number;
}

const securePrefix = "https://";

const clientOptions = {
  "grpc.max_receive_message_length": responseLimitBytes,
  "grpc.max_send_message_length": requestLimitBytes,
  // Within what the server's port allows.
  "grpc.keepalive_time_ms": 60_000,
  // Repeating a call is its caller's decision; grpc-js would keep copies of streams for it.
  "grpc.enable_retries": 0,
  // A new transport connects at once, whatever an earlier one has met.
  "grpc.use_local_subchannel_pool": 1,
};

/**
 * A Connect transport that speaks gRPC through grpc-js, on one connection: for bidirectional
 * streams, which HTTP/1.1 has none of, and wherever gRPC itself is wanted. Request streams are read
 * no faster than the service takes them.
 *
 * @throws TlsError when the token would travel in clear although TLS is used
 */
export function createGrpcTransport(options: GrpcTransportOptions): ClosableTransport {
  const { tls, defaultTimeoutMs = defaultCallTimeoutMs } = options;
  requireEncryption(options.address, options);
  const isSecure = options.address.startsWith(securePrefix);
  const address = isSecure ? options.address.slice(securePrefix.length) : options.address;
  const client = new Client(
    address,
    isSecure ? secureCredentials(tls) : credentials.createInsecure(),
    clientOptions,
  );

  const common = (timeoutMs: number | undefined, signal: AbortSignal | undefined) => {
    const limitMs = timeoutMs ?? defaultTimeoutMs;
    return {
      interceptors: [],
      ...(limitMs > 0 ? { timeoutMs: limitMs } : {}),
      ...(signal === undefined ? {} : { signal }),
    };
  };
  const request = (
    method: Parameters<Transport["unary"] | Transport["stream"]>[0],
    header: Parameters<Transport["unary"]>[3],
    contextValues: Parameters<Transport["unary"]>[5],
  ) => ({
    service: method.parent,
    requestMethod: "POST",
    url: `${isSecure ? "https" : "http"}://${address}/${method.parent.typeName}/${method.name}`,
    header: new Headers(header),
    contextValues: contextValues ?? createContextValues(),
  });

  const transport: ClosableTransport = {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const call = common(timeoutMs, signal);
      return await runUnaryCall<typeof method.input, typeof method.output>({
        ...call,
        req: { ...request(method, header, contextValues), stream: false, method, message: input },
        next: async (sent) => await callGrpcUnary(client, sent, call.timeoutMs),
      });
    },
    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const call = common(timeoutMs, signal);
      return await runStreamingCall<typeof method.input, typeof method.output>({
        ...call,
        req: { ...request(method, header, contextValues), stream: true, method, message: input },
        next: async (sent) => await callGrpcStream(client, sent, call.timeoutMs),
      });
    },
    async close() {
      client.close();
    },
  };
  return traceCalls(withToken(transport, options.token), "grpc", new URL(`http://${address}`));
}

/** Credentials of the moment: the connection is one, and as long-lived as the transport. */
function secureCredentials(tls: TlsCredentials | undefined): ChannelCredentials {
  return tls === undefined
    ? credentials.createSsl()
    : credentials.createFromSecureContext(tls.current.secureContext);
}
