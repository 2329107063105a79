import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type {
  StreamRequest,
  StreamResponse,
  UnaryRequest,
  UnaryResponse,
} from "@connectrpc/connect";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import { status as grpcStatus } from "@grpc/grpc-js";
import type {
  Client,
  ClientDuplexStream,
  Metadata,
  ServiceError,
  StatusObject,
} from "@grpc/grpc-js";
import { drained, fromGrpcStatus, toHeaders, toMetadata } from "../grpc-js.ts";

/** Makes one streaming call of any kind through grpc-js; on the wire they are all alike. */
export async function callGrpcStream<I extends DescMessage, O extends DescMessage>(
  client: Client,
  request: StreamRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<StreamResponse<I, O>> {
  const { method, service, message } = request;
  return { ...(await open(client, request, message, timeoutMs)), stream: true, method, service };
}

/** Makes one unary call through grpc-js: a stream of one message each way. */
export async function callGrpcUnary<I extends DescMessage, O extends DescMessage>(
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

/** What a request of either kind says of its call. */
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

/** Whether grpc-js says with this error how a call ended. */
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
