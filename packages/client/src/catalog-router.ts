import type { TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
// The main entry exports these since 11.4 only, under names of its own; tRPC's packages import them from here.
import type { BuiltRouter, DefaultErrorShape } from "@trpc/server/unstable-core-do-not-import";
import type { CatalogOperations } from "./gen/catalog-operations.ts";

type Procedures<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends { input: infer Input; output: infer Output }
    ? Operations[Name] extends { kind: "mutation" }
      ? TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>
      : TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>
    : never;
};

/** An error as the gateway's tRPC surface words it. */
export interface CatalogErrorShape extends DefaultErrorShape {
  data: DefaultErrorShape["data"] & {
    /** The code that REST clients get as `error`. */
    error: string;
  };
}

/** The gateway's router as its clients see it: for tRPC's own client and its integrations. */
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

/** Answers by operation: `CatalogOutputs["catalog"]["getOffer"]`. */
export type CatalogOutputs = Members<"output">;
