const text = { type: "string" } as const;
const nullableText = { type: "string", nullable: true } as const;
const nullableBoolean = { type: "boolean", nullable: true } as const;
const integer = { type: "integer" } as const;
const nullableInteger = { type: "integer", nullable: true } as const;

const listOf = <Schema>(items: Schema) => ({ type: "array", items }) as const;
const objectOf = <Properties>(properties: Properties) => ({ type: "object", properties }) as const;

const price = {
  ...objectOf({
    offerId: text,
    region: text,
    price: objectOf({
      currencyCode: text,
      currencyDecimals: integer,
      originalPrice: integer,
      discountPrice: integer,
      discount: integer,
      percentOff: integer,
    }),
    updatedAt: nullableText,
    appliedRules: listOf(
      objectOf({
        id: nullableText,
        name: nullableText,
        startDate: nullableText,
        endDate: nullableText,
        discountPercentage: { type: "number", nullable: true },
        percentOff: integer,
      }),
    ),
  }),
  nullable: true,
} as const;

/** JSON Schema of an offer with its price, for Fastify's serializer. */
export const pricedOfferSchema = objectOf({
  id: text,
  namespace: nullableText,
  title: nullableText,
  description: nullableText,
  longDescription: nullableText,
  offerType: nullableText,
  developerDisplayName: nullableText,
  publisherDisplayName: nullableText,
  seller: { ...objectOf({ id: nullableText, name: nullableText }), nullable: true },
  tags: listOf(objectOf({ id: text, name: nullableText })),
  offerMappings: listOf(objectOf({ pageSlug: nullableText, pageType: nullableText })),
  productSlug: nullableText,
  urlSlug: nullableText,
  url: nullableText,
  keyImages: listOf(
    objectOf({
      type: nullableText,
      url: nullableText,
      width: nullableInteger,
      height: nullableInteger,
      md5: nullableText,
    }),
  ),
  releaseDate: nullableText,
  lastModifiedDate: nullableText,
  status: nullableText,
  effectiveDate: nullableText,
  creationDate: nullableText,
  pcReleaseDate: nullableText,
  viewableDate: nullableText,
  isCodeRedemptionOnly: nullableBoolean,
  prePurchase: nullableBoolean,
  items: listOf(objectOf({ id: text, namespace: nullableText })),
  customAttributes: listOf(objectOf({ key: text, type: nullableText, value: nullableText })),
  categories: listOf(text),
  countriesBlacklist: listOf(text),
  countriesWhitelist: listOf(text),
  refundType: nullableText,
  collectionOfferIds: listOf(text),
  locale: text,
  localeStatus: text,
  price,
});
