import type {
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from "@trpc/server";
// The main entry exports these since 11.4 only, under names of its own; tRPC's packages import them from here.
import type { BuiltRouter, DefaultErrorShape } from "@trpc/server/unstable-core-do-not-import";
import type { CatalogOperations } from "./gen/catalog-operations.ts";

type Procedures<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends { input: infer Input; output: infer Output }
    ? Procedure<Operations[Name] extends { kind: infer Kind } ? Kind : "query", Input, Output>
    : never;
};

type Procedure<Kind, Input, Output> = Kind extends "subscription"
  ? TRPCSubscriptionProcedure<{
      input: Input;
      output: AsyncIterable<{ id: string; data: Output }, void>;
      meta: unknown;
    }>
  : Kind extends "mutation"
    ? TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>
    : TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>;

/** The gateway's codes of failures. */
export const gatewayErrorCodes = [
  "INVALID_ARGUMENT",
  "FORBIDDEN",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "GONE",
  "PRECONDITION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "RATE_LIMITED",
  "INTERNAL",
  "UPSTREAM_FAILED",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "LIMIT_REACHED",
  "UNAUTHENTICATED",
] as const;

/** Code of a call that the gateway rejected, or that failed. */
export type GatewayErrorCode = (typeof gatewayErrorCodes)[number];

/** An error of the gateway's tRPC surface. */
export interface CatalogErrorShape extends DefaultErrorShape {
  data: DefaultErrorShape["data"] & {
    /** The code that REST clients get as `error`; a later gateway may have others. */
    error: GatewayErrorCode;
  };
}

/** Type of the gateway's router, for tRPC's own client and its integrations. */
export type CatalogRouter = BuiltRouter<
  { ctx: object; meta: object; errorShape: CatalogErrorShape; transformer: false },
  { [Domain in keyof CatalogOperations]: Procedures<CatalogOperations[Domain]> }
>;

type Members<Kind extends "input" | "output"> = {
  [Domain in keyof CatalogOperations]: {
    [Name in keyof CatalogOperations[Domain]]: CatalogOperations[Domain][Name] extends Record<
      Kind,
      infer Member
    >
      ? Member
      : never;
  };
};

/** Inputs by operation: `CatalogInputs["catalog"]["getOffer"]`. */
export type CatalogInputs = Members<"input">;

/** Results by operation: `CatalogOutputs["catalog"]["getOffer"]`. */
export type CatalogOutputs = Members<"output">;
