import type { DescMethod } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";

/** Name of a method by the semantic conventions of OpenTelemetry: `storefront.catalog.v1.CatalogService/GetOffer`. */
export function methodNameOf({ parent, name }: DescMethod): string {
  return `${parent.typeName}/${name}`;
}

/** `rpc.system.name` of a protocol of Connect's. */
export function rpcSystemOf(protocol: string): "connectrpc" | "grpc" {
  return protocol === "connect" ? "connectrpc" : "grpc";
}

/** Status of a call in the terms of its protocol: gRPC has a code for success and uses capitals. */
export function statusAttributes(
  protocol: string,
  error: ConnectError | undefined,
): { code: string; attributes: Readonly<Record<string, string>> } {
  const isGrpc = rpcSystemOf(protocol) === "grpc";
  if (error === undefined) {
    return { code: "ok", attributes: isGrpc ? { "rpc.status_code": "OK" } : {} };
  }
  const name = codeToString(error.code);
  const code = isGrpc ? name.toUpperCase() : name;
  return { code, attributes: { "rpc.status_code": code } };
}
