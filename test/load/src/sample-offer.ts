import { create } from "@bufbuild/protobuf";
import { GetOfferResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import type { GetOfferResponse } from "@storefront/contracts/catalog/v1/catalog_service";

const at = { seconds: 1_700_000_000n, nanos: 0 };

/** A response of GetOffer of about 3 kB, with members in the amounts that real offers have. */
export function sampleOffer(): GetOfferResponse {
  const words = "A long winter road leads through the old valley to the harbour. ";
  return create(GetOfferResponseSchema, {
    offer: {
      id: "0030779b6d8f4c1c9f5e2f0a",
      namespace: "calluna",
      title: "The Valley Road: Winter Edition",
      description: words.repeat(2),
      longDescription: words.repeat(17),
      offerType: "BASE_GAME",
      status: "ACTIVE",
      effectiveDate: at,
      creationDate: at,
      lastModifiedDate: at,
      releaseDate: at,
      pcReleaseDate: at,
      viewableDate: at,
      isCodeRedemptionOnly: false,
      prePurchase: false,
      keyImages: ["OfferImageWide", "OfferImageTall", "Thumbnail", "CodeRedemption"].map(
        (type) => ({
          type,
          url: `https://images.example.com/calluna/offer/${type}-2560x1440-0030779b6d8f4c1c9f5e2f0a`,
          md5: "9e107d9d372bb6826bd81d3542a419d6",
        }),
      ),
      seller: { id: "o-aaaabbbbccccddddeeeeffff", name: "Harbour Games" },
      developerDisplayName: "Harbour Games Studio",
      publisherDisplayName: "Harbour Games",
      productSlug: "the-valley-road",
      urlSlug: "the-valley-road-winter-edition",
      tags: Array.from({ length: 14 }, (_, index) => ({
        id: `${1200 + index}`,
        name: `Tag ${index}`,
      })),
      items: Array.from({ length: 3 }, (_, index) => ({
        id: `0000b786${index}d8f4c1c9f5e2f0a`,
        namespace: "calluna",
      })),
      customAttributes: Array.from({ length: 8 }, (_, index) => ({
        key: `com.example.app.attribute${index}`,
        type: "STRING",
        value: `value of attribute ${index}`,
      })),
      categories: ["games", "games/edition", "public", "applications"],
      countriesBlacklist: ["CN", "KP", "SY", "CU"],
      refundType: "SELF_REFUNDABLE",
    },
  });
}
