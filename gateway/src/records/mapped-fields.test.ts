import type { Message } from "@bufbuild/protobuf";
import type { Timestamp, Value } from "@bufbuild/protobuf/wkt";
import { expectTypeOf, test } from "vitest";
import type { Unmapped, Mapped } from "./mapped-fields.ts";

type Maker = Message<"storefront.test.v1.Maker"> & { name: string };

type Product = Message<"storefront.test.v1.Product"> & {
  id: string;
  madeAt?: Timestamp;
  extra?: Value;
  maker?: Maker;
  helpers: Maker[];
};

/** As `generate` makes it of a message that was given a field. */
type GrownProduct = Product & { subtitle?: string };

interface Result {
  id: string;
  madeAt: string | null;
  extra: unknown;
  maker: { name: string } | null;
  helpers: { name: string }[];
}

declare const result: Result;

test("the result of a mapper is its own where all fields are shown", () => {
  expectTypeOf<Mapped<Result, Product>>().toEqualTypeOf<Result>();
});

test("a field without a member in the result fails the mapper, by its name", () => {
  expectTypeOf<Mapped<Result, GrownProduct>>().toExtend<Unmapped<"subtitle">>();
  // @ts-expect-error -- `subtitle` is forgotten
  const productOf = (_record: GrownProduct): Mapped<Result, GrownProduct> => result;
  // Users of the mapper do not fail as well.
  expectTypeOf(productOf).returns.toExtend<Result>();
});

test("so does one of a member's or of a list's own", () => {
  type Poorer = Omit<Result, "maker" | "helpers"> & { maker: object | null; helpers: object[] };
  type Missing = Unmapped<"maker.name" | "helpers.name">;
  expectTypeOf<Mapped<Poorer, Product>>().toExtend<Missing>();
  expectTypeOf<Mapped<Poorer, Product, "maker.name">>().toExtend<Unmapped<"helpers.name">>();
});

test("a field may be named as one that is shown otherwise, or not at all", () => {
  expectTypeOf<Mapped<Result, GrownProduct, "subtitle">>().toEqualTypeOf<Result>();
});

test("a name must be that of a field that the result lacks", () => {
  // @ts-expect-error -- there is no such field
  expectTypeOf<Mapped<Result, Product, "subtitle">>();
  // @ts-expect-error -- the result has such a member
  expectTypeOf<Mapped<Result, Product, "id">>();
});
