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
  // Subscriptions are not procedures of it: they are served like the streams.
  type Calls<Of, Known> = {
    [Domain in keyof Known & keyof Of]: Pick<Of[Domain], keyof Known[Domain] & keyof Of[Domain]>;
  };
  type Inputs = inferRouterInputs<AppRouter>;
  type Outputs = inferRouterOutputs<AppRouter>;
  expectTypeOf<Calls<inferRouterInputs<CatalogRouter>, Inputs>>().toEqualTypeOf<Inputs>();
  expectTypeOf<Calls<inferRouterOutputs<CatalogRouter>, Outputs>>().toEqualTypeOf<Outputs>();
  type Failure<Router extends AnyTRPCRouter> = inferTRPCClientTypes<Router>["errorShape"];
  expectTypeOf<Failure<CatalogRouter>>().toExtend<Failure<AppRouter>>();
  expectTypeOf<Failure<AppRouter>>().toExtend<Failure<CatalogRouter>>();
});

test("inputs and outputs have types by operation", () => {
  expectTypeOf<inferRouterInputs<CatalogRouter>>().toEqualTypeOf<CatalogInputs>();
  expectTypeOf<CatalogOutputs["catalog"]["getOffer"]["price"]>().toExtend<{
    region: string;
  } | null>();
});
