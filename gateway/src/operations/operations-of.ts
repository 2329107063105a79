import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { OperationMeta } from "./operation.ts";

/** The operations of a router, as its procedures describe them. */
export function operationsOf(router: AnyTRPCRouter): OperationMeta[] {
  // oxlint-disable no-underscore-dangle -- where tRPC keeps the procedures of a router
  const procedures = Object.values<AnyTRPCProcedure>(router._def.procedures);
  return procedures.map((procedure) => procedure._def.meta).filter(isOperationMeta);
  // oxlint-enable no-underscore-dangle
}

function isOperationMeta(meta: unknown): meta is OperationMeta {
  return typeof meta === "object" && meta !== null && "openapi" in meta && "ask" in meta;
}
