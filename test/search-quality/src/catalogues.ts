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
  readonly longDescription?: string | null;
  readonly offerType?: string | null;
  readonly developerDisplayName?: string | null;
  readonly publisherDisplayName?: string | null;
  readonly tags?: readonly { readonly id: string; readonly name?: string | null }[] | null;
  readonly categories?: readonly string[] | null;
}

/** What it reads of a tag. */
interface TagRecord {
  readonly id: string;
  readonly groupName?: string | null;
}

/** Offers to search. */
export interface Catalogue {
  readonly name: string;
  readonly offers: readonly OfferDocument[];
  /** Texts of the offers, in their order. */
  readonly texts: readonly OfferText[];
  /** Ids of the tags that name genres, not platforms, sales or features. */
  readonly genreTags: ReadonlySet<string>;
}

/** A generated catalogue; the same for the same seed. */
export function generatedCatalogue(count: number, seed: number): Catalogue {
  const catalogue = new CatalogueReader();
  for (const { kind, record } of generateCatalogue({
    offers: count,
    seed,
    now: new Date("2024-01-01"),
  })) {
    if (kind === "offer") catalogue.addOffer(record);
    if (kind === "tag") catalogue.addTag(record);
  }
  return catalogue.read(`generated ${seed}`);
}

/** The real offers. */
export async function realCatalogue({ importFiles }: SharedData): Promise<Catalogue> {
  const catalogue = new CatalogueReader();
  const input = createReadStream(importFiles.catalog).pipe(createGunzip());
  for await (const line of createInterface({ input })) {
    const { kind, record } = JSON.parse(line) as { kind: string; record: OfferRecord & TagRecord };
    if (kind === "offer") catalogue.addOffer(record);
    if (kind === "tag") catalogue.addTag(record);
  }
  return catalogue.read("real");
}

class CatalogueReader {
  /** The last record of an id counts. */
  readonly #records = new Map<string, OfferRecord>();
  readonly #genreTags = new Set<string>();

  addOffer(record: OfferRecord): void {
    this.#records.set(record.id, record);
  }

  addTag({ id, groupName }: TagRecord): void {
    if (groupName === "genre") this.#genreTags.add(id);
  }

  read(name: string): Catalogue {
    const records = [...this.#records.values()];
    const genreTags = this.#genreTags;
    return { name, offers: records.map(documentOf), texts: records.map(textOf), genreTags };
  }
}

/** An offer as an embedder sees it. */
function textOf(record: OfferRecord): OfferText {
  return {
    offerId: record.id,
    title: record.title ?? "",
    description: [record.description, record.longDescription].filter(Boolean).join("\n\n"),
    tags: (record.tags ?? []).flatMap(({ name }) => name ?? []),
    developer: record.developerDisplayName ?? "",
    publisher: record.publisherDisplayName ?? "",
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
    sellerLabel: undefined,
    tagIds: (record.tags ?? []).map(({ id }) => id),
    tagLabels: [],
    tagNames: (record.tags ?? []).flatMap(({ name }) => name ?? []),
    technologies: [],
    categories: record.categories ?? [],
    customAttributes: [],
    refundType: undefined,
    isCodeRedemptionOnly: false,
    isBlockchainUsed: false,
    releaseDateMs: undefined,
    outSinceMs: undefined,
    lastModifiedDateMs: undefined,
    effectiveDateMs: undefined,
    creationDateMs: undefined,
    viewableDateMs: undefined,
    pcReleaseDateMs: undefined,
    hasGiveaway: false,
    firstGiveawayStartMs: undefined,
    latestGiveawayEndMs: undefined,
    ratingMillionths: undefined,
    ratingRankMillionths: undefined,
  };
}
