import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { StreamRequest, StreamResponse } from "@connectrpc/connect";
import { status as grpcStatus } from "@grpc/grpc-js";
import type { Client, ClientDuplexStream, Metadata, StatusObject } from "@grpc/grpc-js";
import { drained } from "../drained.ts";
import { fromGrpcStatus, toHeaders, toMetadata } from "../grpc-metadata.ts";
import { deadlineOf, deserializerOf, isGrpcStatus, pathOf, serializerOf } from "./grpc-wire.ts";

/** Makes one streaming call of any kind through grpc-js; on the wire they are all alike. */
export async function callGrpcStream<I extends DescMessage, O extends DescMessage>(
  client: Client,
  { method, message, header, signal, service }: StreamRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<StreamResponse<I, O>> {
  signal.throwIfAborted();
  type Call = ClientDuplexStream<MessageShape<I>, MessageShape<O>>;
  const call: Call = client.makeBidiStreamRequest(
    pathOf(method),
    serializerOf(method.input),
    deserializerOf(method.output),
    toMetadata(header),
    { deadline: deadlineOf(timeoutMs) },
  );
  signal.addEventListener("abort", () => call.cancel());

  const ending = new Promise<StatusObject>((resolve) => call.once("status", resolve));
  const started = new Promise<Headers>((resolve) => {
    call.once("metadata", (metadata: Metadata) => resolve(toHeaders(metadata)));
    // A call that fails at once has no headers.
    call.once("status", () => resolve(new Headers()));
  });
  // The failure is thrown to whoever reads the answers.
  call.on("error", () => undefined);

  let requestFailure: { error: unknown } | undefined;
  void send(call, message).catch((error: unknown) => {
    requestFailure = { error };
    call.cancel();
  });

  const trailer = new Headers();
  async function* answers(): AsyncGenerator<MessageShape<O>> {
    try {
      for await (const answer of call) yield answer as MessageShape<O>;
    } catch (error) {
      if (!isGrpcStatus(error)) throw error;
    }
    const end = await ending;
    if (requestFailure !== undefined) throw requestFailure.error;
    for (const [name, value] of toHeaders(end.metadata)) trailer.append(name, value);
    if (end.code !== grpcStatus.OK) throw fromGrpcStatus(end);
  }

  return {
    stream: true,
    method,
    service,
    header: await started,
    trailer,
    message: answers(),
  };
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
