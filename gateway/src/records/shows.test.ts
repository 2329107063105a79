import type { Message } from "@bufbuild/protobuf";
import type { Timestamp, Value } from "@bufbuild/protobuf/wkt";
import { expectTypeOf, test } from "vitest";
import type { NotShown, Shows } from "./shows.ts";

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

interface Answer {
  id: string;
  madeAt: string | null;
  extra: unknown;
  maker: { name: string } | null;
  helpers: { name: string }[];
}

declare const answer: Answer;

test("the answer of a mapper is its own where all fields are shown", () => {
  expectTypeOf<Shows<Answer, Product>>().toEqualTypeOf<Answer>();
});

test("a field without a member in the answer fails the mapper, by its name", () => {
  expectTypeOf<Shows<Answer, GrownProduct>>().toExtend<NotShown<"subtitle">>();
  // @ts-expect-error -- `subtitle` is forgotten
  const productOf = (_record: GrownProduct): Shows<Answer, GrownProduct> => answer;
  // Those who use what the mapper makes are not told as well.
  expectTypeOf(productOf).returns.toExtend<Answer>();
});

test("so does one of a member's or of a list's own", () => {
  type Poorer = Omit<Answer, "maker" | "helpers"> & { maker: object | null; helpers: object[] };
  type Missing = NotShown<"maker.name" | "helpers.name">;
  expectTypeOf<Shows<Poorer, Product>>().toExtend<Missing>();
  expectTypeOf<Shows<Poorer, Product, "maker.name">>().toExtend<NotShown<"helpers.name">>();
});

test("a field may be named as one that is shown otherwise, or not at all", () => {
  expectTypeOf<Shows<Answer, GrownProduct, "subtitle">>().toEqualTypeOf<Answer>();
});

test("what is named must be a field that the answer lacks", () => {
  // @ts-expect-error -- there is no such field
  expectTypeOf<Shows<Answer, Product, "subtitle">>();
  // @ts-expect-error -- the answer has such a member
  expectTypeOf<Shows<Answer, Product, "id">>();
});
