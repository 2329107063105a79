import type { AppRouter } from "@storefront/gateway";
import type {
  AnyTRPCRouter,
  inferRouterInputs,
  inferRouterOutputs,
  inferTRPCClientTypes,
} from "@trpc/server";
import { expectTypeOf, test } from "vitest";
import type { CatalogInputs, CatalogOutputs, CatalogRouter } from "../src/index.ts";

test("the published types are those of the gateway's router", () => {
  expectTypeOf<inferRouterInputs<CatalogRouter>>().toEqualTypeOf<inferRouterInputs<AppRouter>>();
  expectTypeOf<inferRouterOutputs<CatalogRouter>>().toEqualTypeOf<inferRouterOutputs<AppRouter>>();
  type Failure<Router extends AnyTRPCRouter> = inferTRPCClientTypes<Router>["errorShape"];
  expectTypeOf<Failure<CatalogRouter>>().toExtend<Failure<AppRouter>>();
  expectTypeOf<Failure<AppRouter>>().toExtend<Failure<CatalogRouter>>();
});

test("inputs and answers can be named by operation", () => {
  expectTypeOf<inferRouterInputs<CatalogRouter>>().toEqualTypeOf<CatalogInputs>();
  expectTypeOf<CatalogOutputs["catalog"]["getOffer"]["price"]>().toExtend<{
    region: string;
  } | null>();
});
