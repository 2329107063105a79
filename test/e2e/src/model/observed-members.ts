/** Kinds whose writes are in the changelog. */
export type ObservedKind = "sandbox" | "offer" | "item" | "asset" | "build";

/** The identity of an element of a list that is compared as a set; undefined for other members. */
type Identity = ((element: unknown) => unknown) | undefined;

const by =
  (...members: string[]): Identity =>
  (element) =>
    members.map((member) => (element as Record<string, unknown>)[member]);
const byItself: Identity = (element) => element;

const identities: Readonly<Record<string, Identity>> = {
  keyImages: by("type", "url"),
  tags: by("id"),
  items: by("id"),
  offerMappings: by("pageSlug", "pageType"),
  customAttributes: by("key"),
};

/** The identity of a list's elements; undefined where the list is compared as one value. */
export function identityOf(kind: ObservedKind, member: string): Identity {
  if (member !== "categories") return identities[member];
  return kind === "item" ? by("path") : byItself;
}

/** The members of each kind in the order of the table in docs/import-format.md, without the identity. */
export const membersOf: Readonly<Record<ObservedKind, readonly string[]>> = {
  sandbox: words("title displayName status store slug createdAt updated"),
  offer: words(
    `namespace title description longDescription offerType status effectiveDate creationDate
    lastModifiedDate releaseDate pcReleaseDate viewableDate isCodeRedemptionOnly prePurchase keyImages
    seller developerDisplayName publisherDisplayName productSlug urlSlug url offerMappings tags items
    customAttributes categories countriesBlacklist countriesWhitelist refundType collectionOfferIds`,
  ),
  item: words(
    `namespace title description longDescription technicalDetails keyImages categories status
    creationDate lastModifiedDate customAttributes entitlementName entitlementType itemType releaseInfo
    developer developerId eulaIds endOfSupport unsearchable applicationId requiresSecureAccount
    selfRefundable`,
  ),
  asset: words("id itemId title downloadSizeBytes installedSizeBytes updatedAt"),
  build: words(
    `appName labelName platform buildVersion hash createdAt updatedAt firstSeenAt lastSeenAt
    downloadSizeBytes installedSizeBytes technologies manifest`,
  ),
};

/** The members that summarize a record in the entry of its insertion or deletion. */
export const summaryOf: Readonly<Record<ObservedKind, readonly string[]>> = {
  sandbox: ["id", "title", "namespace"],
  offer: ["id", "title", "namespace"],
  item: ["id", "title", "namespace"],
  asset: ["artifactId", "platform", "title", "namespace"],
  build: ["id", "appName", "buildVersion"],
};

function words(text: string): string[] {
  return text.split(/\s+/);
}
