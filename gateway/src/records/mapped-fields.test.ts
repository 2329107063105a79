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

/** The generated type once the message has a new field. */
type GrownProduct = Product & { subtitle?: string };

interface Result {
  id: string;
  madeAt: string | null;
  extra: unknown;
  maker: { name: string } | null;
  helpers: { name: string }[];
}

declare const result: Result;

test("the result type of a mapper is unchanged where all fields are shown", () => {
  expectTypeOf<Mapped<Result, Product>>().toEqualTypeOf<Result>();
});

test("a field without a member in the result fails the mapper, and is named", () => {
  expectTypeOf<Mapped<Result, GrownProduct>>().toExtend<Unmapped<"subtitle">>();
  // @ts-expect-error -- `subtitle` is missing
  const productOf = (_record: GrownProduct): Mapped<Result, GrownProduct> => result;
  // Callers of the mapper do not fail.
  expectTypeOf(productOf).returns.toExtend<Result>();
});

test("a field of a member or of the elements of a list fails the mapper too", () => {
  type Poorer = Omit<Result, "maker" | "helpers"> & { maker: object | null; helpers: object[] };
  type Missing = Unmapped<"maker.name" | "helpers.name">;
  expectTypeOf<Mapped<Poorer, Product>>().toExtend<Missing>();
  expectTypeOf<Mapped<Poorer, Product, "maker.name">>().toExtend<Unmapped<"helpers.name">>();
});

test("a field may be listed as shown under another name, or not at all", () => {
  expectTypeOf<Mapped<Result, GrownProduct, "subtitle">>().toEqualTypeOf<Result>();
});

test("only fields that the result lacks may be listed", () => {
  // @ts-expect-error -- there is no such field
  expectTypeOf<Mapped<Result, Product, "subtitle">>();
  // @ts-expect-error -- the result has such a member
  expectTypeOf<Mapped<Result, Product, "id">>();
});
