import { instant, seen } from "./start-catalog.ts";
import type { CatalogObservation } from "./start-catalog.ts";

/** An observation of each kind, with members of each type. */
export function everyKind(id: string): CatalogObservation[] {
  return [
    seen({ case: "sandbox", value: { id, title: "Sandbox", updated: instant("2020-01-01") } }),
    seen({ case: "offer", value: { id, namespace: id, title: "Offer", prePurchase: false } }),
    seen({
      case: "offerText",
      value: { offerId: id, locale: "zh-Hant-TW", nullMembers: ["title"] },
    }),
    seen({ case: "item", value: { id, namespace: id, categories: [{ path: "games" }] } }),
    seen({
      case: "asset",
      value: { artifactId: id, platform: "Mac", namespace: id, downloadSizeBytes: 0n },
    }),
    seen({ case: "build", value: { id, appName: id, manifest: { fileCount: 3n } } }),
    seen({ case: "tag", value: { id, aliases: ["a", ""] } }),
    seen({ case: "offerDetails", value: { offerId: id, polls: { best: [1, 2.5] } } }),
    seen({
      case: "ageRating",
      value: { namespace: id, ratingSystem: "PEGI", rating: { a: null } },
    }),
    seen({ case: "ranking", value: { collection: "top", offerId: id, position: 1 } }),
  ];
}
