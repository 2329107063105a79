import { createContextValues, Code, ConnectError } from "@connectrpc/connect";
import type {
  Transport,
  StreamRequest,
  StreamResponse,
  UnaryRequest,
  UnaryResponse,
} from "@connectrpc/connect";
import { runStreamingCall, runUnaryCall, createAsyncIterable } from "@connectrpc/connect/protocol";
import { Client, credentials, status as grpcStatus } from "@grpc/grpc-js";
import type {
  ChannelCredentials,
  ClientDuplexStream,
  Metadata,
  ServiceError,
  StatusObject,
} from "@grpc/grpc-js";
import { responseLimitBytes, defaultCallTimeoutMs, requestLimitBytes } from "../limits.ts";
import type { TlsCredentials } from "../tls/open-tls-credentials.ts";
import { requireEncryption, withToken } from "./bearer-token.ts";
import type { ClosableTransport } from "./closable-transport.ts";
import { traceCalls } from "./trace-calls.ts";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import { drained, fromGrpcStatus, toHeaders, toMetadata } from "../grpc-js.ts";

/** Options of calls to a service over gRPC. */
export interface GrpcTransportOptions {
  /** Host and port of the service's gRPC port: `catalog:4201` or, with TLS, `https://catalog:4201`. */
  address: string;
  /** For an `https://` address: the trusted authorities and the own certificate; default the authorities of Node. */
  tls?: TlsCredentials | undefined;
  /** Sent as `authorization: Bearer <token>`; default none. */
  token?: string | undefined;
}

const securePrefix = "https://";

const clientOptions = {
  "grpc.max_receive_message_length": responseLimitBytes,
  "grpc.max_send_message_length": requestLimitBytes,
  // Within the limits of the server's port.
  "grpc.keepalive_time_ms": 60_000,
  // Clients retry themselves; grpc-js would store copies of streams for retries.
  "grpc.enable_retries": 0,
  // A new transport connects at once, independent of failures of an earlier one.
  "grpc.use_local_subchannel_pool": 1,
};

/**
 * A Connect transport that speaks gRPC through grpc-js, on one connection: for bidirectional
 * streams, which HTTP/1.1 does not have, and wherever gRPC itself is required. Request streams are read
 * no faster than the service reads them. Calls have a deadline of 10 s by default; 0 means none.
 *
 * @throws TlsError when the token would be sent in plain text although TLS is used
 */
export function createGrpcTransport(options: GrpcTransportOptions): ClosableTransport {
  const { tls } = options;
  requireEncryption(options.address, options);
  const isSecure = options.address.startsWith(securePrefix);
  const address = isSecure ? options.address.slice(securePrefix.length) : options.address;
  const client = new Client(
    address,
    isSecure ? secureCredentials(tls) : credentials.createInsecure(),
    clientOptions,
  );

  const common = (timeoutMs: number | undefined, signal: AbortSignal | undefined) => {
    const limitMs = timeoutMs ?? defaultCallTimeoutMs;
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

/** The current credentials: there is one connection, which lives as long as the transport. */
function secureCredentials(tls: TlsCredentials | undefined): ChannelCredentials {
  return tls === undefined
    ? credentials.createSsl()
    : credentials.createFromSecureContext(tls.current.secureContext);
}

/** Makes one streaming call of any kind through grpc-js; on the wire all are the same. */
async function callGrpcStream<I extends DescMessage, O extends DescMessage>(
  client: Client,
  request: StreamRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<StreamResponse<I, O>> {
  const { method, service, message } = request;
  return { ...(await open(client, request, message, timeoutMs)), stream: true, method, service };
}

/** Makes one unary call through grpc-js: a stream of one message each way. */
async function callGrpcUnary<I extends DescMessage, O extends DescMessage>(
  client: Client,
  request: UnaryRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<UnaryResponse<I, O>> {
  const { method, service } = request;
  const call = await open(client, request, createAsyncIterable([request.message]), timeoutMs);
  let message: MessageShape<O> | undefined;
  for await (const received of call.message) message ??= received;
  if (message === undefined) {
    throw new ConnectError("the service sent no message", Code.Unimplemented);
  }
  return { ...call, stream: false, method, service, message };
}

/** The part of a request that its call needs. */
interface CallRequest<I extends DescMessage, O extends DescMessage> {
  readonly method: DescMethod & { readonly input: I; readonly output: O };
  readonly header: Headers;
  readonly signal: AbortSignal;
}

async function open<I extends DescMessage, O extends DescMessage>(
  client: Client,
  { method, header, signal }: CallRequest<I, O>,
  messages: AsyncIterable<MessageShape<I>>,
  timeoutMs: number | undefined,
) {
  signal.throwIfAborted();
  const call: ClientDuplexStream<MessageShape<I>, MessageShape<O>> = client.makeBidiStreamRequest(
    `/${method.parent.typeName}/${method.name}`,
    serializerOf(method.input),
    deserializerOf(method.output),
    toMetadata(header),
    { deadline: timeoutMs === undefined ? Infinity : Date.now() + timeoutMs },
  );
  signal.addEventListener("abort", () => call.cancel());

  const ending = new Promise<StatusObject>((resolve) => call.once("status", resolve));
  const started = new Promise<Headers>((resolve) => {
    call.once("metadata", (metadata: Metadata) => resolve(toHeaders(metadata)));
    // A call that fails at once has no headers.
    call.once("status", () => resolve(new Headers()));
  });
  // The failure is thrown where the messages are read.
  call.on("error", () => undefined);

  let requestFailure: { error: unknown } | undefined;
  void send(call, messages).catch((error: unknown) => {
    requestFailure = { error };
    call.cancel();
  });

  const trailer = new Headers();
  async function* received(): AsyncGenerator<MessageShape<O>> {
    try {
      for await (const message of call) yield message as MessageShape<O>;
    } catch (error) {
      if (!isGrpcStatus(error)) throw error;
    }
    const end = await ending;
    if (requestFailure !== undefined) throw requestFailure.error;
    for (const [name, value] of toHeaders(end.metadata)) trailer.append(name, value);
    if (end.code !== grpcStatus.OK) throw fromGrpcStatus(end);
  }

  return { header: await started, trailer, message: received() };
}

async function send<I>(
  call: ClientDuplexStream<I, unknown>,
  messages: AsyncIterable<I>,
): Promise<void> {
  let over = false;
  call.once("status", () => {
    over = true;
  });
  for await (const message of messages) {
    if (over) return;
    if (!call.write(message)) await drained(call, "status");
  }
  call.end();
}

/** Whether this error is the status of a grpc-js call. */
export function isGrpcStatus(error: unknown): error is ServiceError {
  return error instanceof Error && "details" in error && "metadata" in error;
}

/** A serializer of grpc-js for messages of one type. */
export function serializerOf<I extends DescMessage>(schema: I) {
  return (message: MessageShape<I>): Buffer => {
    const bytes = toBinary(schema, message);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}

/** A deserializer of grpc-js for messages of one type. */
export function deserializerOf<O extends DescMessage>(schema: O) {
  return (bytes: Buffer): MessageShape<O> => fromBinary(schema, bytes);
}
