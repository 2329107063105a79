import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  BatchGetOffersResponseSchema,
  CatalogService,
  GetOfferResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import {
  BatchGetPricesResponseSchema,
  PricingService,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { PriceExclusion } from "@storefront/contracts/pricing/v1/price_lows";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { HealthService } from "@storefront/contracts/health/v1/health_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import {
  SaveQueryResponseSchema,
  SearchService,
} from "@storefront/contracts/search/v1/search_service";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { damaged, wireBytes } from "../../test/support/wire-bytes.ts";
import { ByteReader } from "./byte-reader.ts";
import { compileDecoder, decodeMessage } from "./decode-message.ts";

const at = { seconds: 1_700_000_000n, nanos: 999_000_000 };

const offer = {
  id: "0030779b6d8f4c1c9f5e2f0a",
  namespace: "",
  title: "Überlänge – 長い 🙂",
  longDescription: "long ".repeat(400),
  effectiveDate: at,
  releaseDate: { seconds: -62_135_596_800n, nanos: 0 },
  isCodeRedemptionOnly: false,
  prePurchase: true,
  keyImages: [{ type: "Thumbnail", width: 340, height: -1 }, {}],
  seller: {},
  tags: [{ id: "1", name: "Tag" }, { id: "2" }],
  categories: ["games", "", "games/edition"],
};

const offers = toBinary(
  BatchGetOffersResponseSchema,
  create(BatchGetOffersResponseSchema, { offers: [offer, {}, offer] }),
);

const prices = toBinary(
  BatchGetPricesResponseSchema,
  create(BatchGetPricesResponseSchema, {
    prices: [
      {
        offerId: "a",
        region: "US",
        price: {
          currencyCode: "USD",
          originalPrice: 2n ** 62n,
          discountPrice: -1n,
          discount: 2n ** 48n,
        },
        updatedAt: at,
        appliedRules: [{ id: "r", discountPercentage: 30 }],
      },
    ],
    lows: [
      {
        ever: { discountPrice: 500n, firstAt: at },
        exclusions: [PriceExclusion.GIVEAWAY, PriceExclusion.BEFORE_RELEASE],
      },
    ],
  }),
);

/** Fields that no message has, of each wire type. */
const unknownFields = new Map<string, Uint8Array>([
  ["varint", unknownField(WireType.Varint, (to) => to.uint64(2n ** 63n))],
  ["64-bit", unknownField(WireType.Bit64, (to) => to.double(1))],
  ["32-bit", unknownField(WireType.Bit32, (to) => to.float(1))],
  ["length-delimited", unknownField(WireType.LengthDelimited, (to) => to.string("x".repeat(300)))],
  ["empty group", unknownField(WireType.StartGroup, endGroup)],
  [
    "group with fields and a group",
    unknownField(WireType.StartGroup, (to) => {
      to.tag(1, WireType.Varint).uint32(1).tag(2, WireType.LengthDelimited).string("text");
      to.tag(3, WireType.StartGroup).tag(1, WireType.Bit64).double(1).tag(3, WireType.EndGroup);
      return endGroup(to);
    }),
  ],
]);

function unknownField(wireType: WireType, write: (to: BinaryWriter) => BinaryWriter): Uint8Array {
  return write(new BinaryWriter().tag(99, wireType)).finish();
}

function endGroup(to: BinaryWriter): BinaryWriter {
  return to.tag(99, WireType.EndGroup);
}

/** A response with the field next to the offer, in the offer and in its seller. */
function withNested(unknown: Uint8Array): Uint8Array {
  const seller = new BinaryWriter().tag(1, WireType.LengthDelimited).string("id").raw(unknown);
  const { id, seller: sellerField } = OfferSchema.field;
  const sent = new BinaryWriter()
    .raw(unknown)
    .tag(id.number, WireType.LengthDelimited)
    .string("offer")
    .tag(sellerField.number, WireType.LengthDelimited)
    .bytes(seller.finish())
    .raw(unknown);
  return new BinaryWriter()
    .tag(GetOfferResponseSchema.field.offer.number, WireType.LengthDelimited)
    .bytes(sent.finish())
    .raw(unknown)
    .finish();
}

const responses = [
  CatalogService,
  ChangelogService,
  HealthService,
  PricingService,
  ReviewsService,
  SearchService,
].flatMap(({ methods }) => methods.map(({ output }) => output));

function outcomeOf(decode: () => unknown): unknown {
  try {
    return decode();
  } catch {
    return "refused";
  }
}

/** Results of both decoders for some bytes. */
function outcomesOf(schema: DescMessage, bytes: Uint8Array): [ours: unknown, theirs: unknown] {
  const theirs = outcomeOf(() => fromBinary(schema, bytes, { readUnknownFields: false }));
  return [outcomeOf(() => decodeMessage(schema, bytes)), theirs];
}

describe("decodeMessage", () => {
  it("compiles the responses of lists and lookups", () => {
    for (const schema of [
      BatchGetOffersResponseSchema,
      GetOfferResponseSchema,
      BatchGetPricesResponseSchema,
    ]) {
      expect(compileDecoder(schema)).toBeTypeOf("function");
    }
  });

  it.each([...unknownFields])("skips unknown fields, also nested ones: %s", (_wire, unknown) => {
    const bytes = withNested(unknown);
    // Compiled: a release that adds a field must not make this one decode everything slowly.
    const decoded = compileDecoder(GetOfferResponseSchema)?.(new ByteReader(bytes), bytes.length);
    const [ours, theirs] = outcomesOf(GetOfferResponseSchema, bytes);
    expect(decoded).toStrictEqual(theirs);
    expect(ours).toStrictEqual(theirs);
    expect(theirs).toMatchObject({ offer: { id: "offer", seller: { id: "id" } } });
  });

  it.each(responses)("returns the same as fromBinary for any bytes: $name", (schema) => {
    const whole = wireBytes(schema);
    const concatenated = fc.tuple(whole, whole).map((parts) => Buffer.concat(parts));
    const bytes = fc.oneof(fc.constant(new Uint8Array()), whole, concatenated, damaged(whole));
    fc.assert(
      fc.property(bytes, (each) => {
        const [ours, theirs] = outcomesOf(schema, each);
        expect(ours).toStrictEqual(theirs);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[what: string, text: Uint8Array]>([
    ["short", Uint8Array.of(0xff)],
    ["long", Buffer.from(`${"x".repeat(40)}\u00FC`).subarray(0, -1)],
  ])("rejects a %s text that is not UTF-8, also when a valid one replaces it", (_what, text) => {
    const field = (value: Uint8Array) => Buffer.concat([Uint8Array.of(0x0a, value.length), value]);
    for (const bytes of [field(text), Buffer.concat([field(text), field(Buffer.from("id"))])]) {
      const [ours, theirs] = outcomesOf(SaveQueryResponseSchema, bytes);
      expect([ours, theirs]).toEqual(["refused", "refused"]);
    }
  });

  it("accepts text with a replacement character", () => {
    const bytes = toBinary(
      SaveQueryResponseSchema,
      create(SaveQueryResponseSchema, { queryId: `\uFEFF\uFFFD${"x".repeat(20)}` }),
    );
    const [ours, theirs] = outcomesOf(SaveQueryResponseSchema, bytes);
    expect(ours).toStrictEqual(theirs);
    expect(ours).not.toBe("refused");
  });

  it("rejects a varint of a million bytes", () => {
    const bytes = Buffer.alloc(1_000_000, 0x80);
    // The tag of `seconds`.
    bytes[0] = 0x08;
    const [ours, theirs] = outcomesOf(TimestampSchema, bytes);
    expect([ours, theirs]).toEqual(["refused", "refused"]);
  });

  it.each<[what: string, schema: DescMessage, bytes: Uint8Array]>([
    ["prices", BatchGetPricesResponseSchema, prices],
    ["offers", BatchGetOffersResponseSchema, offers.subarray(0, 400)],
  ])(
    "decodes %s, truncated anywhere or with any byte changed, as fromBinary does",
    (_what, schema, bytes) => {
      for (let index = 0; index <= bytes.length; index++) {
        const cut = bytes.subarray(0, index);
        const changed = [0x01, 0x80, 0xff].map((change) => {
          const copy = Uint8Array.from(bytes);
          copy[index] = (copy[index] ?? 0) ^ change;
          return copy;
        });
        for (const altered of [cut, ...changed]) {
          const [ours, theirs] = outcomesOf(schema, altered);
          expect(ours).toStrictEqual(theirs);
        }
      }
    },
  );
});
