import { Seeded } from "@storefront/testkit";
import type { Catalogue } from "./model/catalogue.ts";
import type { RegionEntry } from "./model/model.ts";
import type { OfferRecord } from "./model/records.ts";
import { facets, sortFields } from "./model/search-body.ts";
import type { Facet, SearchBody } from "./model/search-body.ts";
import { technologiesOf } from "./model/technologies.ts";

/** A search as it is sent. */
export interface GeneratedSearch {
  body: SearchBody;
  /** Any case; some are in no region. */
  country: string;
  locale: string;
}

const locales = ["en-US", "de-DE", "ja-JP", "es-MX"];

/**
 * Searches made from a seed: every filter, order, direction, page and country. Most filters use a
 * value of one and the same offer, so that several of them together still find something.
 */
export function generateSearches(
  catalogue: Catalogue,
  regions: readonly RegionEntry[],
  { count, seed }: { count: number; seed: number },
): GeneratedSearch[] {
  const random = new Seeded(seed);
  const typing = new Seeded(seed + 1);
  const technologies = technologiesOf(catalogue);
  const offers = [...catalogue.offer.values()];
  const priced = offers.filter(({ id }) => catalogue.price.has(`${id} US`));
  const givenAway = new Set([...catalogue.giveaway.values()].map(({ offerId }) => offerId));
  const odd = offers.filter(({ id, namespace }) => namespace === "odd" || givenAway.has(id));
  const target = () => random.pick(random.pick([offers, priced, odd]));

  return Array.from({ length: count }, (_, index): GeneratedSearch => {
    const offer = target();
    const { region, countries } = random.pick(regions);
    const [country = "US"] = random.some(countries, 1, 1);
    const amount = catalogue.price.get(`${offer.id} ${region}`)?.price.discountPrice;
    const used = technologies.get(offer.id) ?? [];
    const [oneOf, otherOf] = [random.pick([offer, target()]), target()];
    const sometimes = <Value>(share: number, value: () => Value) =>
      random.chance(share) ? value() : undefined;
    const sortBy = sortFields[index % (sortFields.length + 1)];
    const body = known({
      offerType: sometimes(0.25, () => typesOf(random, [oneOf, otherOf])),
      tags: sometimes(0.2, () => random.some(offer.tags ?? [], 2, 1).map(({ id }) => id)),
      technologies: sometimes(0.2, () => random.some(used, 2, 1).map((name) => ` ${name} `)),
      categories: sometimes(0.15, () => [...random.some(oneOf.categories ?? [], 3, 1), "no/such"]),
      customAttributes: sometimes(0.15, () =>
        random.some(oneOf.customAttributes ?? [], 2, 1).map(({ key }) => key),
      ),
      seller: sometimes(0.1, () => oneOf.seller?.id ?? undefined),
      developerDisplayName: sometimes(0.07, () => oneOf.developerDisplayName ?? undefined),
      publisherDisplayName: sometimes(0.07, () => oneOf.publisherDisplayName ?? undefined),
      refundType: sometimes(0.15, () => oneOf.refundType ?? "NO_SUCH"),
      isCodeRedemptionOnly: sometimes(0.15, () => oneOf.isCodeRedemptionOnly ?? false),
      price: sometimes(0.25, () => boundsAround(random, amount ?? random.below(5000))),
      onSale: sometimes(0.25, () => random.chance(0.6)),
      isLowestPrice: sometimes(0.15, () => random.chance(0.8)),
      minRating: typing.chance(0.05) ? typing.below(20) / 2 : undefined,
      excludeBlockchain: sometimes(0.15, () => random.chance(0.7)),
      pastGiveaways: sometimes(0.1, () => random.chance(0.8)),
      sortBy,
      sortDir: sometimes(0.7, () => random.pick(["asc", "desc"] as const)),
      page: sometimes(0.4, () => 1 + random.below(random.pick([2, 5, 100]))),
      limit: sometimes(0.7, () => 1 + random.below(random.pick([5, 40, 100]))),
      disjunctiveAggregations: sometimes(0.6, () => random.chance(0.8)),
      facetQuery: typing.chance(0.4) ? typedInto(typing, offer, used) : undefined,
    });
    return {
      body,
      country: random.pick([country, country.toLowerCase(), country, "ZZ"]),
      locale: random.pick(locales),
    };
  });
}

/** A part of a name of an offer, in any case. */
function typedInto(
  random: Seeded,
  { developerDisplayName, publisherDisplayName, seller, offerType, tags }: OfferRecord,
  technologies: readonly string[],
): NonNullable<SearchBody["facetQuery"]> {
  const facet = random.pick(facets);
  const values: Record<Facet, readonly (string | null | undefined)[]> = {
    technologies,
    offerType: [offerType],
    tags: (tags ?? []).map(({ name }) => name),
    developer: [developerDisplayName],
    publisher: [publisherDisplayName],
    seller: [seller?.name],
  };
  const named = values[facet].flatMap((value) => value || []);
  const letters = Array.from(random.pick(["games", ...named]));
  const from = random.chance(0.5) ? 0 : random.below(letters.length);
  const piece = letters.slice(from, from + 1 + random.below(random.pick([3, 12]))).join("");
  const text = random.chance(0.5) ? piece.toUpperCase() : piece;
  return { facet, text: text.trim() === "" ? "a" : text };
}

function typesOf(random: Seeded, offers: readonly OfferRecord[]): string | string[] {
  const types = offers.map(({ offerType }) => offerType ?? "NO_SUCH");
  return random.chance(0.5) ? (types[0] ?? "NO_SUCH") : types;
}

function boundsAround(random: Seeded, amount: number): NonNullable<SearchBody["price"]> {
  return known({
    min: random.chance(0.6) ? Math.max(0, amount - random.below(1500)) : undefined,
    max: random.chance(0.6) ? amount + random.below(1500) : undefined,
  });
}

/** The members that are not undefined. */
function known<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}
