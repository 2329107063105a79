import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { AgeRatingSchema } from "@storefront/contracts/catalog/v1/age_rating";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { OfferDetailsSchema } from "@storefront/contracts/catalog/v1/offer_details";
import { OfferTextSchema } from "@storefront/contracts/catalog/v1/offer_text";
import { RankingSchema } from "@storefront/contracts/catalog/v1/ranking";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { describe, expect, it } from "vitest";
import { RecordFormatError, recordFromJson } from "./record-from-json.ts";
import { recordToJson } from "./record-to-json.ts";

/** Converts through the message's bytes, as a stored record. */
function roundTrip(schema: DescMessage, json: JsonObject): JsonObject {
  const { record } = recordFromJson(schema, json);
  return recordToJson(schema, fromBinary(schema, toBinary(schema, record)));
}

function faultOf(schema: DescMessage, json: JsonValue): string | undefined {
  try {
    recordFromJson(schema, json, { name: "record" });
    return undefined;
  } catch (error) {
    if (error instanceof RecordFormatError) return error.field;
    throw error;
  }
}

/** An object of this depth. */
function nested(depth: number): JsonObject {
  let json: JsonObject = {};
  for (let level = 1; level < depth; level += 1) json = { a: json };
  return json;
}

describe("records that round-trip", () => {
  const cases: [string, DescMessage, JsonObject][] = [
    [
      "an offer",
      OfferSchema,
      {
        id: "o1",
        title: "",
        effectiveDate: "2020-03-26T15:00:00.123Z",
        prePurchase: false,
        keyImages: [{ type: "Wide", url: "/a.png", width: 0 }],
        seller: { name: "S" },
        tags: [{ id: "1", name: "T" }],
        categories: ["games"],
      },
    ],
    [
      "an item",
      ItemSchema,
      { id: "i1", categories: [{ path: "p" }], releaseInfo: [{ id: "1", platform: ["Windows"] }] },
    ],
    [
      "sizes up to 2^53",
      AssetSchema,
      { artifactId: "a", platform: "p", namespace: "n", downloadSizeBytes: 2 ** 53 },
    ],
    [
      "a rating's own members with its identity",
      AgeRatingSchema,
      { namespace: "n", ratingSystem: "ESRB", title: "Teen", ageControl: 13, isTrad: false },
    ],
    [
      "an offer text's explicit nulls",
      OfferTextSchema,
      { offerId: "o", locale: "de-DE", description: "d", title: null, tags: null, seller: null },
    ],
    ["free-form objects", OfferDetailsSchema, { offerId: "o", media: { a: [1, { b: null }] } }],
    ["free-form objects of 32 levels", OfferDetailsSchema, { offerId: "o", polls: nested(32) }],
  ];
  it.each(cases)("%s", (_, schema, json) => {
    expect(roundTrip(schema, json)).toEqual(json);
  });
});

describe("members that a record lacks", () => {
  it("null, absent and empty lists are omitted", () => {
    const json = { id: "o1", title: null, tags: [], seller: null, effectiveDate: null };
    expect(roundTrip(OfferSchema, json)).toEqual({ id: "o1" });
  });

  it("a null of a member that an offer text does not overlay is not an explicit null", () => {
    const json = { offerId: "o", locale: "de-DE", namespace: null };
    expect(recordFromJson(OfferTextSchema, json).record.nullMembers).toEqual([]);
  });

  it("unknown members are omitted and counted at every depth", () => {
    const json = { id: "o1", foo: null, seller: { bar: 1 }, tags: [{ id: "1", baz: {} }] };
    const { record, unknownMembers } = recordFromJson(OfferSchema, json);
    expect(unknownMembers).toBe(3);
    expect(recordToJson(OfferSchema, record)).toEqual({
      id: "o1",
      seller: {},
      tags: [{ id: "1" }],
    });
  });

  it("timestamps are truncated to the millisecond", () => {
    const json = { id: "o1", effectiveDate: "2020-03-26T15:00:00.1239Z" };
    expect(roundTrip(OfferSchema, json)["effectiveDate"]).toBe("2020-03-26T15:00:00.123Z");
  });

  it("timestamps before 1970 keep their milliseconds", () => {
    const json = { id: "o1", effectiveDate: "1969-12-31T23:59:59.001Z" };
    expect(roundTrip(OfferSchema, json)).toEqual(json);
  });

  it("a deletion has its identity only, and other members are not read", () => {
    const json = { offerId: "o", region: "US", price: "wrong" };
    const { record } = recordFromJson(OfferPriceSchema, json, { only: ["offerId", "region"] });
    expect(record).toEqual(create(OfferPriceSchema, { offerId: "o", region: "US" }));
  });

  it("a computed discount may be omitted", () => {
    const price = { currencyCode: "USD", originalPrice: 1, discountPrice: 1 };
    expect(faultOf(OfferPriceSchema, { offerId: "o", region: "US", price })).toBeUndefined();
  });
});

describe("members that are rejected by their path", () => {
  const cases: [string, DescMessage, JsonValue][] = [
    ["", OfferSchema, []],
    ["", OfferSchema, null],
    ["id", OfferSchema, { title: "no identity" }],
    ["title", OfferSchema, { id: "o", title: 5 }],
    ["title", OfferSchema, { id: "o", title: "a\0b" }],
    ["title", OfferSchema, { id: "o", title: "\ud800" }],
    ["prePurchase", OfferSchema, { id: "o", prePurchase: "true" }],
    ["keyImages", OfferSchema, { id: "o", keyImages: {} }],
    ["keyImages[1].width", OfferSchema, { id: "o", keyImages: [{}, { width: 1.5 }] }],
    ["keyImages[0].width", OfferSchema, { id: "o", keyImages: [{ width: 2 ** 31 }] }],
    ["tags[0]", OfferSchema, { id: "o", tags: [null] }],
    ["tags[0].id", OfferSchema, { id: "o", tags: [{ name: "no id" }] }],
    ["categories[0]", OfferSchema, { id: "o", categories: [1] }],
    ["seller", OfferSchema, { id: "o", seller: [] }],
    ["effectiveDate", OfferSchema, { id: "o", effectiveDate: "2020-03-26" }],
    ["effectiveDate", OfferSchema, { id: "o", effectiveDate: "2020-02-30T00:00:00Z" }],
    ["effectiveDate", OfferSchema, { id: "o", effectiveDate: "2020-03-26T15:00:00+01:00" }],
    ["effectiveDate", OfferSchema, { id: "o", effectiveDate: 1585234800000 }],
    ["releaseInfo[0].platform[0]", ItemSchema, { id: "i", releaseInfo: [{ platform: [1] }] }],
    [
      "downloadSizeBytes",
      AssetSchema,
      { artifactId: "a", platform: "p", namespace: "n", downloadSizeBytes: 2 ** 53 + 2 },
    ],
    ["media.a[0].b", OfferDetailsSchema, { offerId: "o", media: { a: [{ b: "\0" }] } }],
    ["media", OfferDetailsSchema, { offerId: "o", media: [] }],
    [`polls${".a".repeat(32)}`, OfferDetailsSchema, { offerId: "o", polls: nested(100_000) }],
    ["position", RankingSchema, { collection: "c", offerId: "o" }],
    [
      "price.originalPrice",
      OfferPriceSchema,
      { offerId: "o", region: "US", price: { currencyCode: "USD", discountPrice: 1 } },
    ],
  ];
  it.each(cases)("%s of %s", (path, schema, json) => {
    expect(faultOf(schema, json)).toBe(path);
  });
});
