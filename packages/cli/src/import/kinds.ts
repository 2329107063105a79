/** What the import format (docs/import-format.md) says about a kind. */
export interface KindInfo {
  /** The service that stores it. */
  service: string;
  /** Members that tell its records apart, as the contract says; help is shown without loading it. */
  identity: readonly string[];
}

/** Every kind of the import format, whether or not a stack runs its service. */
export const kinds = {
  sandbox: { service: "catalog", identity: ["id"] },
  tag: { service: "catalog", identity: ["id"] },
  offer: { service: "catalog", identity: ["id"] },
  offerText: { service: "catalog", identity: ["offerId", "locale"] },
  item: { service: "catalog", identity: ["id"] },
  asset: { service: "catalog", identity: ["artifactId", "platform", "namespace"] },
  build: { service: "catalog", identity: ["id"] },
  offerDetails: { service: "catalog", identity: ["offerId"] },
  ageRating: { service: "catalog", identity: ["namespace", "ratingSystem"] },
  ranking: { service: "catalog", identity: ["collection", "offerId"] },
  price: { service: "pricing", identity: ["offerId", "region"] },
  giveaway: { service: "pricing", identity: ["id"] },
  review: { service: "reviews", identity: ["id"] },
  entrySubject: { service: "changelog", identity: ["type", "key"] },
  entry: { service: "changelog", identity: ["id"] },
  savedQuery: { service: "search", identity: ["id"] },
} as const satisfies Readonly<Record<string, KindInfo>>;

export type Kind = keyof typeof kinds;

export function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}
