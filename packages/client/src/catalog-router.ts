import type {
  TRPCBuiltRouter,
  TRPCDefaultErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from "@trpc/server";
import type { CatalogOperations } from "./gen/catalog-operations.ts";

type Procedures<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends { input: infer Input; output: infer Output }
    ? Operations[Name] extends { kind: "mutation" }
      ? TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>
      : TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>
    : never;
};

/** An error as the gateway's tRPC surface words it. */
export interface CatalogErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape["data"] & {
    /** The code that REST clients get as `error`. */
    error: string;
  };
}

/** The gateway's router as its clients see it: for tRPC's own client and its integrations. */
export type CatalogRouter = TRPCBuiltRouter<
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
