import { Code, ConnectError } from "@connectrpc/connect";
import { findTrailerError, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { Metadata } from "@grpc/grpc-js";
import type { EventEmitter } from "node:events";

// Headers have binary values as base64, Metadata has their bytes.
const binarySuffix = "-bin";
// Set by grpc-js itself from the status.
const statusHeaders = new Set(["grpc-status", "grpc-message"]);

/** gRPC metadata as Connect's headers. */
export function toHeaders(metadata: Metadata): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(metadata.toJSON())) {
    for (const value of values) {
      headers.append(name, typeof value === "string" ? value : value.toString("base64"));
    }
  }
  return headers;
}

/** Connect's headers as gRPC metadata. */
export function toMetadata(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of headers) {
    if (statusHeaders.has(name)) continue;
    metadata.add(name, name.endsWith(binarySuffix) ? Buffer.from(value, "base64") : value);
  }
  return metadata;
}

/** A status of grpc-js that is not OK. Its codes have the same numbers as Connect's. */
export interface GrpcStatus {
  code: number;
  details: string;
  metadata: Metadata;
}

/** An error as grpc-js sends it: code, message, and details under `grpc-status-details-bin`. */
export function toGrpcStatus(error: ConnectError, trailer = new Headers()): GrpcStatus {
  const metadata = toMetadata(setTrailerStatus(new Headers(trailer), error));
  return { code: error.code, details: error.rawMessage, metadata };
}

const codesByNumber = new Map<number, Code>(
  Object.values(Code).flatMap((code) => (typeof code === "number" ? [[code, code]] : [])),
);

/** A status that grpc-js received, as an error with its details. */
export function fromGrpcStatus(status: GrpcStatus): ConnectError {
  const trailer = toHeaders(status.metadata);
  const detailed = findTrailerError(trailer);
  if (detailed !== undefined) return detailed;
  const error = new ConnectError(
    status.details,
    codesByNumber.get(status.code) ?? Code.Unknown,
    trailer,
  );
  error.isWireError = true;
  return error;
}

/**
 * Resolves when the other side of a grpc-js call has accepted the written data, or the call has ended.
 *
 * @param over the event that ends such a call: `status` at a client, `cancelled` at a server.
 */
export async function drained(call: EventEmitter, over: "status" | "cancelled"): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      call.off("drain", done);
      call.off(over, done);
      resolve();
    };
    call.on("drain", done);
    call.on(over, done);
  });
}
