import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  BatchGetOffersResponseSchema,
  GetOfferResponseSchema,
  ListSandboxOffersResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { BehaviorSchema, RepeatResponseSchema } from "../../test/gen/rpctest/v1/echo_service_pb.ts";
import { describe, expect, test } from "vitest";
import { encodedOf, toMessage, EncodedWriter } from "./encoded-message.ts";

describe("EncodedWriter", () => {
  test("splices stored records into the same bytes as encoding the whole message", () => {
    const offers = ["a", "b", "c"].map((id) =>
      create(OfferSchema, { id, title: id.repeat(300), tags: [{ id: "1", name: "One" }] }),
    );
    const rows = offers.map((offer) => toBinary(OfferSchema, offer));
    const whole = toBinary(
      BatchGetOffersResponseSchema,
      create(BatchGetOffersResponseSchema, { offers }),
    );
    const spliced = new EncodedWriter().messages(1, rows).finish();
    expect(Buffer.from(spliced)).toEqual(Buffer.from(whole));
  });

  test("returns an empty message without fields", () => {
    const bytes = new EncodedWriter().messages(1, []).string(2, "").varint(3, 0).finish();
    expect(bytes).toHaveLength(0);
  });

  test.each([1, 127, 128, 300, 2 ** 31, 2 ** 32 - 1])("writes %d as protobuf does", (index) => {
    const bytes = new EncodedWriter().string(1, "häh").varint(2, index).finish();
    const whole = toBinary(
      RepeatResponseSchema,
      create(RepeatResponseSchema, { text: "häh", index }),
    );
    expect(Buffer.from(bytes)).toEqual(Buffer.from(whole));
  });

  test.each([2n ** 53n + 1n, 2n ** 63n - 1n])("writes the 64-bit number %d", (value) => {
    const bytes = new EncodedWriter().varint(1, value).finish();
    expect(BigInt.asUintN(64, decodeVarint(bytes.subarray(1)))).toBe(value);
  });

  test("writes field numbers over 15 and fields that are serialized already", () => {
    const rest = toBinary(BehaviorSchema, create(BehaviorSchema, { metadata: "m" }));
    const bytes = new EncodedWriter().raw(rest).varint(200, 1).finish();
    expect(fromBinary(BehaviorSchema, bytes)).toMatchObject({ metadata: "m" });
  });

  test("rejects negative numbers, which have other encodings", () => {
    expect(() => new EncodedWriter().varint(1, -1)).toThrow(RangeError);
  });
});

describe("encodedOf", () => {
  test("joins serialized parts, numbers and text as encoding the whole message does", () => {
    const offers = ["a", "b"].map((id) => create(OfferSchema, { id, title: id }));
    const parts = { offers: offers.map((offer) => toBinary(OfferSchema, offer)), totalSize: 2n };
    const message = encodedOf(ListSandboxOffersResponseSchema, parts);
    const whole = create(ListSandboxOffersResponseSchema, { offers, totalSize: 2n });
    expect(toMessage(ListSandboxOffersResponseSchema, message)).toEqual(whole);
    const echo = encodedOf(RepeatResponseSchema, { text: "häh", index: 3 });
    expect(toMessage(RepeatResponseSchema, echo)).toMatchObject({ text: "häh", index: 3 });
  });

  test("omits null fields", () => {
    const message = encodedOf(GetOfferResponseSchema, { offer: new Uint8Array(), text: null });
    expect(toMessage(GetOfferResponseSchema, message).text).toBeUndefined();
  });
});

function decodeVarint(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 7n) | BigInt(byte & 0x7f), 0n);
}
