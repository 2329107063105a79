import type { AttributeRecord } from "./attribute.ts";
import type { ImageRecord } from "./image.ts";
import type { TagReference } from "./tag.ts";

/** An offer, as the import format has it. */
export interface OfferRecord {
  readonly id: string;
  readonly namespace: string;
  readonly title: string;
  readonly description: string;
  readonly longDescription: string | null;
  readonly offerType: string;
  readonly status: string;
  readonly effectiveDate: string;
  readonly creationDate: string;
  readonly lastModifiedDate: string;
  readonly releaseDate: string | null;
  readonly pcReleaseDate: string | null;
  readonly viewableDate: string | null;
  readonly isCodeRedemptionOnly: boolean | null;
  readonly prePurchase: boolean | null;
  readonly keyImages: readonly ImageRecord[];
  readonly seller: { readonly id: string; readonly name: string };
  readonly developerDisplayName: string | null;
  readonly publisherDisplayName: string | null;
  readonly productSlug: string | null;
  readonly urlSlug: string | null;
  readonly url: null;
  readonly offerMappings: readonly { readonly pageSlug: string; readonly pageType: string }[];
  readonly tags: readonly TagReference[];
  readonly items: readonly { readonly id: string; readonly namespace: string }[];
  readonly customAttributes: readonly AttributeRecord[];
  readonly categories: readonly string[];
  readonly countriesBlacklist: readonly string[];
  readonly countriesWhitelist: readonly string[];
  readonly refundType: string | null;
  readonly collectionOfferIds: readonly string[];
}
