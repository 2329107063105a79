import type { OfferDocument } from "@storefront/service-search";
import { misspell } from "./misspell.ts";

/**
 * How a user types a title: a game's as it is, with which other offers' titles begin; one word of it that
 * other offers' titles have too; its beginning; with a wrong letter; without what is between letters; and
 * the title of an offer that is not a game.
 */
export const titleKinds = ["bare", "within", "cut", "misspelt", "respelt", "added"] as const;
export type TitleKind = (typeof titleKinds)[number];

/** What a user types, and which offers are meant by it. */
export interface TitleQuery {
  readonly kind: TitleKind;
  readonly text: string;
  /** The title that is meant, as {@link titleKey} writes it. */
  readonly key: string;
  readonly isGame: boolean;
}

/** Whether an offer is meant by a query. */
export function isMeant({ key, isGame }: TitleQuery, offer: OfferDocument): boolean {
  return titleKey(offer.title ?? "") === key && (!isGame || offer.offerType === "BASE_GAME");
}

/** A key of titles that differ in case and punctuation only. */
export function titleKey(title: string): string {
  return title
    .replace(/[™®©]/g, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * Up to so many queries of each kind, spread over a catalogue and the same for the same one. Which offers
 * are meant depends on titles and types alone; queries that could mean two games are left out.
 *
 * @param half 0 to tune rankings with, 1 to measure what that is worth: they share no query.
 */
export function titleQueries(
  offers: readonly OfferDocument[],
  { half, count }: { half: 0 | 1; count: number },
): TitleQuery[] {
  const titles = new Titles(offers);
  return titleKinds.flatMap((kind) => {
    const isGame = kind !== "added";
    const queries = (isGame ? titles.games : titles.additions).flatMap((title, at) => {
      const text = typed[kind](title, titles, at);
      return text === undefined ? [] : [{ kind, text, key: titleKey(title), isGame }];
    });
    return spread(
      queries.filter((_, at) => at % 2 === half),
      count,
    );
  });
}

/** The titles of a catalogue that can be typed on any keyboard, each once. */
class Titles {
  readonly games: readonly string[];
  readonly additions: readonly string[];
  readonly #gameKeys: readonly string[];
  readonly #otherKeys: readonly string[];

  constructor(offers: readonly OfferDocument[]) {
    const of = (isWanted: (offer: OfferDocument) => boolean) =>
      offers.filter(isWanted).map(({ title }) => title ?? "");
    const games = of(({ offerType }) => offerType === "BASE_GAME");
    const others = of(({ offerType }) => offerType !== "BASE_GAME");
    const additions = of(({ offerType }) => !["BASE_GAME", "OTHERS"].includes(offerType ?? ""));
    this.#gameKeys = [...new Set(games.map(titleKey))];
    this.#otherKeys = others.map(titleKey);
    this.games = typable(games);
    this.additions = typable(additions).filter(
      (title) => !this.#gameKeys.includes(titleKey(title)),
    );
  }

  /** How many games' titles have this word, or this start. */
  countGames(part: { word: string } | { start: string }): number {
    return this.#gameKeys.filter((key) =>
      "word" in part ? ` ${key} `.includes(` ${part.word} `) : key.startsWith(part.start),
    ).length;
  }

  isSharedByOthers(part: { word: string } | { start: string }): boolean {
    return this.#otherKeys.some((key) =>
      "word" in part ? ` ${key} `.includes(` ${part.word} `) : `${key} `.startsWith(part.start),
    );
  }
}

function typable(titles: readonly string[]): string[] {
  const plain = titles.filter((title) => /[a-z]{5}/i.test(title) && /^[ -~™®’–]+$/.test(title));
  return [...new Map(plain.toSorted().map((title) => [titleKey(title), title])).values()];
}

/** What is typed for a title; undefined when it cannot be typed so. */
const typed: Readonly<
  Record<TitleKind, (title: string, titles: Titles, at: number) => string | undefined>
> = {
  bare: (title, titles) => {
    const key = titleKey(title);
    return titles.isSharedByOthers({ start: `${key} ` }) ? key : undefined;
  },
  within: (title, titles) =>
    longestFirst(titleKey(title)).find(
      (word) =>
        /^[a-z]{4,}$/.test(word) &&
        word !== titleKey(title) &&
        titles.countGames({ word }) === 1 &&
        titles.isSharedByOthers({ word }),
    ),
  cut: (title, titles) => {
    const start = titleKey(title).slice(0, -2).trim();
    return start.length >= 5 && titles.countGames({ start }) === 1 ? start : undefined;
  },
  misspelt: (title, _, at) => {
    const [longest = ""] = longestFirst(titleKey(title));
    return titleKey(title).replace(longest, misspell(longest, at));
  },
  respelt: (title) => {
    const joined = title.replace(/(?<=\w)['’.&-](?=\w)/g, "");
    if (joined !== title) return titleKey(joined);
    const twoWords = titleKey(title).replace(/^([a-z]{3,}) ([a-z]{3,})$/, "$1$2");
    return twoWords === titleKey(title) ? undefined : twoWords;
  },
  added: titleKey,
};

function longestFirst(key: string): string[] {
  return key.split(" ").toSorted((a, b) => b.length - a.length);
}

/** So many at equal distances. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(items.length / count, 1);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
