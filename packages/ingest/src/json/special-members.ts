/** How the import format of a message departs from one JSON member per field. */
export interface SpecialMembers {
  /** Local name of the Struct field that holds every JSON member without a field of its own. */
  readonly restInto?: string;
  /** Local name of the list of members that are known to be null, and the members it can name. */
  readonly nulls?: { readonly into: string; readonly members: readonly string[] };
  /** Members that may be left out although their field has no presence, since they are computed. */
  readonly computed?: readonly string[];
}

/** The members of an offer that a text overlays, and so may be known to be null in a locale. */
export const overlayMembers: readonly string[] = [
  "title",
  "description",
  "longDescription",
  "developerDisplayName",
  "publisherDisplayName",
  "seller",
  "tags",
  "offerMappings",
  "productSlug",
  "urlSlug",
  "url",
];

const specialMembers: Readonly<Record<string, SpecialMembers>> = {
  // "the rating's own members" stand beside the identity.
  "storefront.catalog.v1.AgeRating": { restInto: "rating" },
  // "In offerText an explicit null is a value: it overwrites."
  "storefront.catalog.v1.OfferText": {
    nulls: { into: "nullMembers", members: overlayMembers },
  },
  "storefront.type.v1.Price": { computed: ["discount"] },
};

/** What is special about a message type; an empty object for most. */
export function specialMembersOf(typeName: string): SpecialMembers {
  return specialMembers[typeName] ?? {};
}
