import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { OperationMeta } from "./operation.ts";

/** The operations of a router, as its procedures describe them. */
export function operationsOf(router: AnyTRPCRouter): OperationMeta[] {
  return [...operationsByPath(router).values()];
}

/** The operations of a router by the path of their procedure, such as `catalog.getOffer`. */
export function operationsByPath(router: AnyTRPCRouter): Map<string, OperationMeta> {
  // oxlint-disable no-underscore-dangle -- where tRPC keeps the procedures of a router
  const procedures = Object.entries<AnyTRPCProcedure>(router._def.procedures);
  const operations = new Map<string, OperationMeta>();
  for (const [path, procedure] of procedures) {
    const { meta } = procedure._def;
    if (isOperationMeta(meta)) operations.set(path, meta);
  }
  // oxlint-enable no-underscore-dangle
  return operations;
}

/** Whether a request has members beside those of its path and query. */
export function hasBody({ method, path, queryNames, input }: OperationMeta): boolean {
  if (method === "GET" || method === "DELETE") return false;
  return Object.keys(input.shape).some(
    (name) => !queryNames.includes(name) && !path.includes(`{${name}}`),
  );
}

function isOperationMeta(meta: unknown): meta is OperationMeta {
  return typeof meta === "object" && meta !== null && "ask" in meta;
}
