import { neverLowerMs } from "@storefront/price-lows";
import { asRegion } from "@storefront/identifiers";
import { sharedData } from "@storefront/testkit";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import type {
  OfferDocument,
  OfferPrices,
  PriceDocument,
} from "../../src/engine/index-documents.ts";
import type { Documents } from "./generated-documents.ts";

interface Offer {
  readonly id: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly offerType?: string | null;
  readonly developerDisplayName?: string | null;
  readonly publisherDisplayName?: string | null;
  readonly seller?: { readonly id?: string | null; readonly name?: string | null } | null;
  readonly tags?: readonly { readonly id: string; readonly name?: string | null }[] | null;
  readonly categories?: readonly string[] | null;
  readonly customAttributes?: readonly { readonly key: string }[] | null;
  readonly refundType?: string | null;
  readonly isCodeRedemptionOnly?: boolean | null;
  readonly releaseDate?: string | null;
  readonly lastModifiedDate?: string | null;
  readonly effectiveDate?: string | null;
  readonly creationDate?: string | null;
  readonly viewableDate?: string | null;
  readonly pcReleaseDate?: string | null;
}

interface Price {
  readonly offerId: string;
  readonly region: string;
  readonly price: { readonly originalPrice: number; readonly discountPrice: number };
  readonly updatedAt?: string | null;
}

/** Reads the real offers and their prices in a few regions; undefined where they are not at hand. */
export function readRealDocuments(): (() => Promise<Documents>) | undefined {
  const data = sharedData();
  if (data === undefined) return undefined;
  return async () => {
    const offers = new Map<string, OfferDocument>();
    for await (const { kind, record } of observations(data.importFiles.catalog)) {
      if (kind === "offer") offers.set((record as Offer).id, documentOf(record as Offer));
    }
    const prices = new Map<string, Map<string, PriceDocument>>();
    for await (const { kind, record } of observations(data.importFiles.prices)) {
      if (kind !== "price") continue;
      const { offerId, ...price } = record as Price;
      if (!["US", "EURO", "BR2"].includes(price.region)) continue;
      const ofOffer = prices.get(offerId) ?? new Map<string, PriceDocument>();
      prices.set(offerId, ofOffer.set(price.region, priceOf(price)));
    }
    return {
      offers: [...offers.values()],
      prices: [...prices].map(([offerId, regions]): OfferPrices => ({
        offerId,
        prices: [...regions.values()],
      })),
    };
  };
}

async function* observations(path: string): AsyncGenerator<{ kind: string; record: unknown }> {
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) });
  for await (const line of lines) yield JSON.parse(line) as { kind: string; record: unknown };
}

export function documentOf(offer: Offer): OfferDocument {
  return {
    offerId: offer.id,
    title: offer.title ?? undefined,
    description: offer.description ?? undefined,
    offerType: offer.offerType ?? undefined,
    developer: offer.developerDisplayName ?? undefined,
    publisher: offer.publisherDisplayName ?? undefined,
    sellerId: offer.seller?.id ?? undefined,
    sellerName: offer.seller?.name ?? undefined,
    tagIds: (offer.tags ?? []).map(({ id }) => id),
    tagNames: (offer.tags ?? []).flatMap(({ name }) => name ?? []),
    technologies: [],
    categories: offer.categories ?? [],
    customAttributes: (offer.customAttributes ?? []).map(({ key }) => key),
    refundType: offer.refundType ?? undefined,
    isCodeRedemptionOnly: offer.isCodeRedemptionOnly ?? false,
    isBlockchainUsed: false,
    releaseDateMs: time(offer.releaseDate),
    outSinceMs: time(offer.releaseDate) ?? 0,
    lastModifiedDateMs: time(offer.lastModifiedDate),
    effectiveDateMs: time(offer.effectiveDate),
    creationDateMs: time(offer.creationDate),
    viewableDateMs: time(offer.viewableDate),
    pcReleaseDateMs: time(offer.pcReleaseDate),
    hasGiveaway: false,
    firstGiveawayStartMs: undefined,
    latestGiveawayEndMs: undefined,
  };
}

export function priceOf({ region, price, updatedAt }: Omit<Price, "offerId">): PriceDocument {
  const { originalPrice, discountPrice } = price;
  const isLowest = discountPrice < originalPrice;
  return {
    region: asRegion(region),
    originalPrice,
    discountPrice,
    isLowest,
    lowestSinceMs: isLowest ? neverLowerMs : time(updatedAt),
    updatedAtMs: time(updatedAt),
  };
}

function time(text: string | null | undefined): number | undefined {
  return text ? Date.parse(text) : undefined;
}
