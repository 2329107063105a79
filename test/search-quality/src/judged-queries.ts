import type { OfferDocument } from "@storefront/service-search";
import type { Catalogue } from "./catalogues.ts";
import type { ConceptQuery, QuerySet } from "./queries/query-set.ts";
import { titleKey } from "./title-queries.ts";

/** A query for a catalogue, and which of its offers are relevant. */
export interface JudgedQuery {
  readonly kind: QueryKind;
  readonly text: string;
  /** False for an offer of unknown relevance: it is removed from the results. */
  isJudged(offer: OfferDocument): boolean;
  isRelevant(offer: OfferDocument): boolean;
}

/** What a query refers to: a concept, a named offer, a named maker, or a maker and a concept. */
export const queryKinds = ["concept", "likeTitle", "byMaker", "madeAndMeant"] as const;
export type QueryKind = (typeof queryKinds)[number];

/** How many names fill a set's templates of each kind, in a catalogue. */
const nameCount = 12;
/** With fewer relevant offers, the measure is a matter of luck. */
const leastRelevant = 3;

/**
 * The queries of a set for a catalogue. Relevance depends on tags, developer and publisher alone.
 *
 * @param turn 0 or 1: sets with another turn name other offers and makers.
 */
export function judgedQueries(
  catalogue: Catalogue,
  set: QuerySet,
  { turn, isReal }: { turn: 0 | 1; isReal: boolean },
): JudgedQuery[] {
  const { offers } = catalogue;
  const names = <Name>(of: readonly Name[], count = nameCount) => spread(of, { turn, count });
  const concepts = isReal ? set.real : set.generated;
  const queries = [
    ...concepts.map((query) => conceptQuery(catalogue, query)),
    ...names(titledGames(catalogue)).map((offer, at) =>
      likeTitle(catalogue, offer, pick(set.likeTitle, at)),
    ),
    ...names(makersOf(offers)).map((maker, at) => byMaker(maker, pick(set.byMaker, at))),
    ...(isReal ? [] : set.madeAndMeant).flatMap(({ text, tag }) => {
      const some = offers.filter((offer) => hasTag(offer, [tag]));
      return names(makersOf(some), 2).map((maker) => madeAndMeant({ text, tag }, maker));
    }),
  ];
  return queries.filter((query) => relevantCount(query, offers) >= leastRelevant);
}

/** How many offers are relevant. */
export function relevantCount(query: JudgedQuery, offers: readonly OfferDocument[]): number {
  return offers.filter((offer) => query.isJudged(offer) && query.isRelevant(offer)).length;
}

function conceptQuery(catalogue: Catalogue, { text, tags }: ConceptQuery): JudgedQuery {
  return {
    kind: "concept",
    text,
    isJudged: (offer) => genresOf(catalogue, offer).length > 0,
    isRelevant: (offer) => hasTag(offer, tags),
  };
}

/** Offers with more than half of its genres are relevant, but not the offer itself. */
function likeTitle(catalogue: Catalogue, named: OfferDocument, template: string): JudgedQuery {
  const genres = genresOf(catalogue, named);
  const key = titleKey(named.title ?? "");
  return {
    kind: "likeTitle",
    text: template.replace("{title}", named.title ?? ""),
    isJudged: (offer) =>
      titleKey(offer.title ?? "") !== key && genresOf(catalogue, offer).length > 0,
    isRelevant: (offer) => {
      const theirs = genresOf(catalogue, offer);
      return genres.filter((genre) => theirs.includes(genre)).length * 2 > genres.length;
    },
  };
}

function byMaker(maker: string, template: string): JudgedQuery {
  return {
    kind: "byMaker",
    text: template.replace("{maker}", maker),
    isJudged: () => true,
    isRelevant: (offer) => isMadeBy(offer, maker),
  };
}

function madeAndMeant({ text, tag }: { text: string; tag: string }, maker: string): JudgedQuery {
  return {
    kind: "madeAndMeant",
    text: text.replace("{maker}", maker),
    isJudged: () => true,
    isRelevant: (offer) => isMadeBy(offer, maker) && hasTag(offer, [tag]),
  };
}

/** Base games with genres to compare, by title. */
function titledGames(catalogue: Catalogue): OfferDocument[] {
  return catalogue.offers
    .filter(
      (offer) =>
        offer.offerType === "BASE_GAME" &&
        /^[ -~]{5,}$/.test(offer.title ?? "") &&
        genresOf(catalogue, offer).length >= 2,
    )
    .toSorted((a, b) => compare(a.title ?? "", b.title ?? "") || compare(a.offerId, b.offerId));
}

/** Developers and publishers of enough offers, by name. */
function makersOf(offers: readonly OfferDocument[]): string[] {
  const counts = new Map<string, number>();
  for (const { developer = "", publisher = "" } of offers) {
    for (const maker of new Set([developer, publisher])) {
      counts.set(maker, (counts.get(maker) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([maker, count]) => count >= leastRelevant && /[a-z]{3}/i.test(maker))
    .map(([maker]) => maker)
    .toSorted(compare);
}

/** Every other one from `turn` on, and of these so many at equal distances. */
function spread<Item>(
  items: readonly Item[],
  { turn, count }: { turn: 0 | 1; count: number },
): Item[] {
  const turns = items.filter((_, index) => index % 2 === turn);
  const step = Math.max(turns.length / count, 1);
  return turns.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function pick(templates: readonly string[], at: number): string {
  return templates[at % templates.length] ?? "";
}

function genresOf({ genreTags }: Catalogue, { tagIds }: OfferDocument): string[] {
  return tagIds.filter((id) => genreTags.has(id));
}

/** Whether an offer has a tag with any of these names. */
export function hasTag({ tagNames }: OfferDocument, names: readonly string[]): boolean {
  return tagNames.some((name) => names.includes(name));
}

function isMadeBy({ developer, publisher }: OfferDocument, maker: string): boolean {
  return developer === maker || publisher === maker;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
