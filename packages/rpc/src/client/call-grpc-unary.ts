import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { UnaryRequest, UnaryResponse } from "@connectrpc/connect";
import type { Client } from "@grpc/grpc-js";
import { Metadata } from "@grpc/grpc-js";
import { fromGrpcStatus, toHeaders, toMetadata } from "../grpc-metadata.ts";
import { deadlineOf, deserializerOf, missingAnswer, pathOf, serializerOf } from "./grpc-wire.ts";

/** Makes one unary call through grpc-js. */
export async function callGrpcUnary<I extends DescMessage, O extends DescMessage>(
  client: Client,
  { method, message, header, signal, service }: UnaryRequest<I, O>,
  timeoutMs: number | undefined,
): Promise<UnaryResponse<I, O>> {
  signal.throwIfAborted();
  let responseHeader = new Metadata();
  let responseTrailer = new Metadata();
  const answer = await new Promise<MessageShape<O>>((resolve, reject) => {
    let received: MessageShape<O> | undefined;
    const call = client.makeUnaryRequest(
      pathOf(method),
      serializerOf(method.input),
      deserializerOf(method.output),
      message,
      toMetadata(header),
      { deadline: deadlineOf(timeoutMs) },
      (error, value) => {
        if (error !== null) reject(fromGrpcStatus(error));
        else received = value;
      },
    );
    call.on("metadata", (metadata: Metadata) => {
      responseHeader = metadata;
    });
    // The status comes after the callback, and brings the trailers.
    call.on("status", ({ metadata }) => {
      responseTrailer = metadata;
      if (received === undefined) reject(missingAnswer());
      else resolve(received);
    });
    signal.addEventListener("abort", () => call.cancel());
  });
  return {
    stream: false,
    method,
    service,
    header: toHeaders(responseHeader),
    trailer: toHeaders(responseTrailer),
    message: answer,
  };
}
