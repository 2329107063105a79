import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { ServiceError } from "@grpc/grpc-js";

/** The path of a method in gRPC and Connect. */
export function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** When grpc-js must give a call up. */
export function deadlineOf(timeoutMs: number | undefined): number {
  return timeoutMs === undefined ? Infinity : Date.now() + timeoutMs;
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

/** Whether grpc-js says with this error how a call ended. */
export function isGrpcStatus(error: unknown): error is ServiceError {
  return error instanceof Error && "details" in error && "metadata" in error;
}

/** The error of a call without an answer and without a failure. */
export function missingAnswer(): ConnectError {
  return new ConnectError("the service sent no message", Code.Unimplemented);
}
