import { generateCatalogue } from "@storefront/sample-data";
import type { OfferDocument, OfferText } from "@storefront/service-search";
import type { SharedData } from "@storefront/testkit";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";

/** What this package reads of an offer in the import format. */
interface OfferRecord {
  readonly id: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly offerType?: string | null;
  readonly developerDisplayName?: string | null;
  readonly publisherDisplayName?: string | null;
  readonly tags?: readonly { readonly id: string; readonly name?: string | null }[] | null;
  readonly categories?: readonly string[] | null;
}

/** Offers of a generated catalogue; the same for the same seed. */
export function generatedOffers(count: number, seed: number): OfferDocument[] {
  const lines = generateCatalogue({ offers: count, seed, now: new Date("2024-01-01") });
  return [...lines].flatMap((line) => (line.kind === "offer" ? [documentOf(line.record)] : []));
}

/** The real offers. */
export async function realOffers({ importFiles }: SharedData): Promise<OfferDocument[]> {
  const offers: OfferDocument[] = [];
  const input = createReadStream(importFiles.catalog).pipe(createGunzip());
  for await (const line of createInterface({ input })) {
    const { kind, record } = JSON.parse(line) as { kind: string; record: OfferRecord };
    if (kind === "offer") offers.push(documentOf(record));
  }
  return offers;
}

/** An offer as an embedder sees it. */
export function textOf(offer: OfferDocument): OfferText {
  return {
    offerId: offer.offerId,
    title: offer.title ?? "",
    description: offer.description ?? "",
    tags: offer.tags.flatMap(({ name }) => (name === undefined ? [] : [name])),
    developer: offer.developer ?? "",
    publisher: offer.publisher ?? "",
  };
}

function documentOf(record: OfferRecord): OfferDocument {
  return {
    offerId: record.id,
    title: record.title ?? undefined,
    description: record.description ?? undefined,
    offerType: record.offerType ?? undefined,
    developer: record.developerDisplayName ?? undefined,
    publisher: record.publisherDisplayName ?? undefined,
    sellerId: undefined,
    sellerName: undefined,
    tags: (record.tags ?? []).map(({ id, name }) => ({ id, name: name ?? undefined })),
    technologies: [],
    categories: record.categories ?? [],
    customAttributes: [],
    refundType: undefined,
    isCodeRedemptionOnly: false,
    isBlockchainUsed: false,
    releaseDateMs: undefined,
    lastModifiedDateMs: undefined,
    effectiveDateMs: undefined,
    creationDateMs: undefined,
    viewableDateMs: undefined,
    pcReleaseDateMs: undefined,
    hasGiveaway: false,
    firstGiveawayStartMs: undefined,
    latestGiveawayEndMs: undefined,
  };
}
