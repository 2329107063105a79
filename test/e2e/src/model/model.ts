import type { Catalogue } from "./catalogue.ts";
import { bestOfferOf } from "./best-offer.ts";
import { countFreeGameSellers, currentMobileGiveaways } from "./free-games.ts";
import { buildOf, summaryOf } from "./item-build.ts";
import { byCodePoint, earliestFirst, newestFirst, pageOf } from "./order.ts";
import type { OfferRecord } from "./records.ts";
import { shownOffer } from "./shown-offer.ts";

/** A table of countries and their regions, as `listRegions` returns it. */
export interface RegionEntry {
  region: string;
  countries: readonly string[];
}

/** The lows of a present price, as responses show them. */
export type LowsOf = (offerId: string, region: string) => unknown;

/** A response: the status, and the body of a 200. */
export type Expected = { status: 200; body: unknown } | { status: 400 | 404 };

const unknown: Expected = { status: 404 };
const found = (body: unknown): Expected => ({ status: 200, body });

/**
 * What the REST surface must return about a catalogue: a small, slow program written from
 * docs/api alone. Bodies have the documented members; `differences` compares them.
 */
export class Model {
  readonly #catalogue: Catalogue;
  readonly #regionByCountry: Map<string, string>;
  readonly #now: number;
  readonly #lowsOf: LowsOf | undefined;

  /** @param lowsOf when it is given, prices have lows */
  constructor(
    catalogue: Catalogue,
    regions: readonly RegionEntry[],
    now = Date.now(),
    lowsOf?: LowsOf,
  ) {
    this.#catalogue = catalogue;
    this.#now = now;
    this.#lowsOf = lowsOf;
    this.#regionByCountry = new Map(
      regions.flatMap(({ region, countries }) => countries.map((country) => [country, region])),
    );
  }

  /** The offer in a locale, without a price. */
  offer(record: OfferRecord, locale = "en-US"): Record<string, unknown> {
    return shownOffer(record, this.#catalogue.offerText.get(`${record.id} ${locale}`), locale);
  }

  price(offerId: string, region: string): Record<string, unknown> | null {
    const record = this.#catalogue.price.get(`${offerId} ${region}`);
    if (record === undefined) return null;
    const { currencyCode, originalPrice, discountPrice } = record.price;
    const price = {
      currencyCode,
      originalPrice,
      discountPrice,
      discount: originalPrice - discountPrice,
    };
    const lows = this.#lowsOf?.(offerId, region);
    return { offerId, region, price, updatedAt: record.updatedAt, lows };
  }

  /** GET /offers/{id} */
  getOffer(id: string, country: string, locale: string): Expected {
    const region = this.#regionByCountry.get(country);
    const record = this.#catalogue.offer.get(id);
    if (region === undefined || record === undefined) return unknown;
    return found({ ...this.offer(record, locale), price: this.price(id, region) });
  }

  /** GET /items/{id} */
  getItem(id: string): Expected {
    const record = this.#catalogue.item.get(id);
    return record === undefined ? unknown : found(record);
  }

  /** What `getSandbox` returns. */
  getSandbox(id: string): Expected {
    const record = this.#catalogue.sandbox.get(id);
    if (record === undefined) return unknown;
    const { title, displayName, updated } = record;
    return found({ _id: id, id, namespace: id, title, displayName, updated });
  }

  /** What `listSandboxAssets` returns. */
  listAssets(id: string, page: number, limit: number, platforms: readonly string[]): Expected {
    if (!this.#catalogue.sandbox.has(id)) return unknown;
    const wanted = platforms.map((platform) => platform.toLowerCase());
    const matching = [...this.#catalogue.asset.values()].filter(
      ({ namespace, platform }) =>
        namespace === id && (wanted.length === 0 || wanted.includes(platform.toLowerCase())),
    );
    const sorted = newestFirst(
      matching,
      ({ updatedAt }) => updatedAt,
      ({ artifactId, platform }) => `${artifactId}\u0000${platform}`,
    );
    return found({ elements: pageOf(sorted, page, limit), page, limit, count: sorted.length });
  }

  /** What `listSandboxOffers` returns. */
  listSandboxOffers(
    id: string,
    { page, limit, locale, offerTypes, title }: SandboxOffersQuery,
  ): Expected {
    if (!this.#catalogue.sandbox.has(id)) return unknown;
    const matching = [...this.#catalogue.offer.values()].filter(
      (offer) =>
        offer.namespace === id &&
        (offerTypes.length === 0 || offerTypes.includes(offer.offerType ?? "")) &&
        (offer.title ?? "").toLowerCase().includes(title.toLowerCase()),
    );
    const sorted = newestFirst(
      matching,
      ({ lastModifiedDate }) => lastModifiedDate,
      (offer) => offer.id,
    );
    const elements = pageOf(sorted, page, limit).map((offer) => this.offer(offer, locale));
    return found({ elements, page, limit, count: sorted.length });
  }

  /** What `listItems` returns. */
  listItems(page: number, limit: number): Expected {
    const sorted = newestFirst(
      this.#catalogue.item.values(),
      ({ lastModifiedDate }) => lastModifiedDate,
      (item) => item.id,
    );
    const elements = pageOf(sorted, page, limit).map(summaryOf);
    return found({ elements, page, limit, total: sorted.length });
  }

  /** What `getItemOffer` returns. */
  getItemOffer(itemId: string, locale: string): Expected {
    const best = bestOfferOf(itemId, this.#catalogue.offer.values());
    return best === undefined ? unknown : found(this.offer(best, locale));
  }

  /** What `listItemBuilds` returns. */
  listItemBuilds(itemId: string): Expected {
    const item = this.#catalogue.item.get(itemId);
    if (item === undefined) return unknown;
    const apps = new Set(item.releaseInfo?.map(({ appId }) => appId));
    const builds = newestFirst(
      [...this.#catalogue.build.values()].filter(
        ({ appName }) => typeof appName === "string" && apps.has(appName),
      ),
      ({ updatedAt }) => updatedAt,
      ({ id }) => id,
    ).slice(0, 1000);
    const assets = [...this.#catalogue.asset.values()];
    return found(builds.map((build) => buildOf(build, { item, newest: builds[0], assets })));
  }

  /** What `listReviews` returns. */
  listReviews(
    offerId: string,
    page: number,
    limit: number,
    isWanted: (verified: boolean) => boolean = () => true,
  ): Expected {
    const matching = [...this.#catalogue.review.values()].filter(
      (review) => review.offerId === offerId && isWanted(review.verified === true),
    );
    const sorted = newestFirst(
      matching,
      ({ createdAt }) => createdAt,
      ({ id }) => id,
    );
    const elements = pageOf(sorted, page, limit).map((review) => ({ ...review, offerId: null }));
    return found({
      elements,
      page,
      limit,
      total: sorted.length,
      reviewSummary: ratingsOf(matching.map(({ rating }) => Number(rating ?? 0))),
    });
  }

  /** What `listOfferCollection` returns. */
  listCollection(id: string, country: string, locale: string): Expected {
    const region = this.#regionByCountry.get(country);
    const members = this.#catalogue.offer.get(id)?.collectionOfferIds ?? [];
    if (region === undefined || members.length === 0) return unknown;
    return found(
      members.flatMap((member) => {
        const offer = this.#catalogue.offer.get(member);
        if (offer === undefined) return [];
        return [{ ...this.offer(offer, locale), price: this.price(member, region) }];
      }),
    );
  }

  /** What `getPrice` returns. */
  getPrice(id: string, country: string): Expected {
    const region = this.#regionByCountry.get(country);
    const offer = this.#catalogue.offer.get(id);
    if (region === undefined || offer === undefined) return unknown;
    const whitelist = offer.countriesWhitelist ?? [];
    if (offer.countriesBlacklist?.includes(country)) return unknown;
    if (whitelist.length > 0 && !whitelist.includes(country)) return unknown;
    const price = this.price(id, region);
    return price === null ? unknown : found(price);
  }

  /** What `listFeaturedDiscounts` returns. */
  listFeaturedDiscounts(country: string, locale: string): Expected {
    const region = this.#regionByCountry.get(country);
    if (region === undefined) return unknown;
    const positions = new Map<string, number>();
    for (const { offerId, position } of this.#catalogue.ranking.values()) {
      if (position === 0) continue;
      positions.set(offerId, Math.min(position, positions.get(offerId) ?? position));
    }
    const featured = [...positions].flatMap(([offerId, position]) => {
      const offer = this.#catalogue.offer.get(offerId);
      const price = this.#catalogue.price.get(`${offerId} ${region}`)?.price;
      const isFeatured =
        (offer?.offerType === "BASE_GAME" || offer?.offerType === "DLC") &&
        price !== undefined &&
        price.discountPrice < price.originalPrice;
      return offer !== undefined && isFeatured ? [{ offer, position }] : [];
    });
    return found(
      featured
        .toSorted((a, b) => a.position - b.position || byCodePoint(a.offer.id, b.offer.id))
        .slice(0, 20)
        .map(({ offer, position }) => ({
          ...this.offer(offer, locale),
          price: this.price(offer.id, region),
          position,
        })),
    );
  }

  /** What `resolveSlugs` returns. */
  resolveSlugs(slugs: readonly string[]): Expected {
    return found(
      slugs.map((slug) => {
        const [offer] = [...this.#catalogue.offer.values()]
          .filter(
            (candidate) =>
              candidate.prePurchase !== true &&
              [
                candidate.productSlug,
                candidate.urlSlug,
                ...(candidate.offerMappings ?? []).map(({ pageSlug }) => pageSlug),
              ].some((known) => known === slug || known === `${slug}/home`),
          )
          .toSorted(earliestFirst);
        return { slug, id: offer?.id ?? null, namespace: offer?.namespace ?? null };
      }),
    );
  }

  /** What `checkOffersExist` returns. */
  checkOffersExist(ids: readonly string[]): Expected {
    const each = [...new Set(ids)];
    return found({
      existingOffers: each.filter((id) => this.#catalogue.offer.has(id)),
      nonExistingOffers: each.filter((id) => !this.#catalogue.offer.has(id)),
    });
  }

  /** What `listMobileFreeGames` returns. A giveaway of an unknown offer is left out. */
  listMobileFreeGames(country: string, locale: string): Expected {
    const region = this.#regionByCountry.get(country);
    if (region === undefined) return unknown;
    return found(
      currentMobileGiveaways(this.#catalogue, this.#now).flatMap(({ giveaway, earlier }) => {
        const { title, namespace } = giveaway;
        const offer = this.#catalogue.offer.get(giveaway.offerId ?? "");
        if (offer === undefined) return [];
        return {
          ...this.offer(offer, locale),
          countriesBlacklist: offer.countriesBlacklist ?? [],
          giveaway: {
            ...giveaway,
            title: title ?? offer.title,
            namespace: namespace ?? offer.namespace,
            historical: earlier.map(({ id }) => ({ id })),
          },
          price: this.price(offer.id, region),
        };
      }),
    );
  }

  /** GET /free-games/sellers; in descending order, ties in any order. */
  countFreeGameSellers(): Map<string, number> {
    return countFreeGameSellers(this.#catalogue, this.#now);
  }
}

/** Query of `listSandboxOffers`. */
export interface SandboxOffersQuery {
  page: number;
  limit: number;
  locale: string;
  offerTypes: readonly string[];
  title: string;
}

/** @param all 0 without a rating */
function ratingsOf(all: readonly number[]) {
  const ratings = all.filter((rating) => rating > 0);
  const sum = ratings.reduce((total, rating) => total + rating, 0);
  const histogram = Array.from(
    { length: 10 },
    (_, index) => ratings.filter((rating) => Math.max(1, Math.floor(rating)) === index + 1).length,
  );
  const average = ratings.length === 0 ? null : Math.round((sum / ratings.length) * 100) / 100;
  return { count: ratings.length, average, histogram };
}
