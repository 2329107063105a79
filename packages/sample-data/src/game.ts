import { dayMs, fullHour, momentBetween } from "./observe.ts";
import { at, identifier, Random } from "./random.ts";
import type { Seed, Source } from "./random.ts";
import { expand, genres, titleLocales, withArticles } from "./words.ts";
import type { Genre } from "./words.ts";
import names from "./words/names.json" with { type: "json" };
import technologies from "./words/technologies.json" with { type: "json" };

/** The common data of everything in a sandbox. */
export interface Game {
  /** The sandbox's position in the catalogue, from 0. */
  readonly index: number;
  readonly namespace: string;
  readonly title: string;
  readonly slug: string;
  readonly genre: Genre;
  readonly makers: Makers;
  readonly platforms: readonly string[];
  readonly technologies: readonly { readonly section: string; readonly technology: string }[];
  /** When its records were created, in ms since 1970; never after now. */
  readonly createdMs: number;
  /** Past or future, in ms since 1970. */
  readonly releasedMs: number;
  readonly upcoming: boolean;
  /** How good players find it, from 0 to 1. */
  readonly quality: number;
}

/** Whether the n-th game is upcoming: every twelfth, so that small catalogues have one. */
export function isUpcoming(index: number): boolean {
  return index % 12 === 5;
}

/** The game of the n-th sandbox. */
export function createGame(source: Source, index: number): Game {
  const { seed, nowMs } = source;
  const random = new Random(seed, "game", index);
  const namespace = identifier(seed, "sandbox", index);
  const genre = at(genres, (index + random.integer(0, 3)) % genres.length);
  const title = inventTitle(random, genre);
  const upcoming = isUpcoming(index);
  const releasedMs = fullHour(
    upcoming
      ? nowMs + random.integer(5, 400) * dayMs
      : nowMs - dayMs - random.unit() ** 1.5 * 8 * 365 * dayMs,
  );
  const engineShare = random.chance(0.86) ? [random.pickEarly(technologies.engines)] : [];
  return {
    index,
    namespace,
    title,
    slug: slugify(title) || `game-${namespace.slice(0, 8)}`,
    genre,
    makers: pickMakers(random, seed),
    platforms: pickPlatforms(random, index),
    technologies: [
      ...engineShare,
      ...random.pickMany(technologies.libraries, random.integer(0, 3)),
    ],
    createdMs: momentBetween(
      random,
      Math.min(releasedMs, nowMs) - 500 * dayMs,
      Math.min(releasedMs, nowMs) - 40 * dayMs,
    ),
    releasedMs,
    upcoming,
    quality: 0.35 + 0.6 * Math.sqrt(random.unit()),
  };
}

/** Windows always; of every twenty games one is certain to be on Android and one on iOS. */
function pickPlatforms(random: Random, index: number): string[] {
  const platforms = ["Windows"];
  if (random.chance(0.25)) platforms.push("Mac");
  if (random.chance(0.06) || index % 20 === 1) platforms.push("Android");
  if (random.chance(0.06) || index % 20 === 2) platforms.push("iOS");
  return platforms;
}

/** Number of publishers, for any size of the catalogue. */
const publisherCount = 90;

const { studioWords, studioSuffixes } = names;

/** The developer and the publisher of a game. */
interface Makers {
  readonly developer: string;
  readonly developerId: string;
  readonly publisher: string;
  /** The publisher's identifier as a seller. */
  readonly sellerId: string;
}

/** Makers of a game; a few publishers have many games, and some studios publish themselves. */
function pickMakers(random: Random, seed: Seed): Makers {
  const studio = random.integer(0, studioWords.length * studioSuffixes.length - 1);
  const developer = `${studioWords[studio % studioWords.length]} ${studioSuffixes[Math.floor(studio / studioWords.length)]}`;
  const developerId = `o-${identifier(seed, "studio", studio)}`;
  if (random.chance(0.2))
    return { developer, developerId, publisher: developer, sellerId: developerId };
  const number = Math.floor(random.unit() ** 2 * publisherCount);
  const naming = new Random(seed, "publisher", number);
  const publisher = expand(naming.pick(names.publisherPatterns), { name: inventName(naming) });
  const sellerId = `o-${identifier(seed, "publisher", number)}`;
  return { developer, developerId, publisher, sellerId };
}

/**
 * Patterns of titles, with realistic punctuation. Early ones are the most frequent; they contain a name, so
 * that a million offers remain varied.
 */
const patterns = [
  "{name}: {adjective} {noun}",
  "The {noun} of {name}",
  "{adjective} {noun} of {name}",
  "{adjective} {noun}",
  "{name}'s {noun}",
  "{name} – The {noun}",
  "{noun} & {other}",
  "{name}",
  "The {adjective} {noun}",
  "{noun}, {noun}, {other}!",
  "Who Hid the {noun}?",
  "{adjective} {noun}: {name}",
  "{adjective}/{noun}",
  "A {noun} Called {name}",
  "Dr. {name} vs. the {noun}",
  "{noun}.exe",
  '"{adjective} {noun}"',
  "{name} #{number}",
  "Don't Touch the {noun}",
  "Café {name}",
];

const numerals = [" II", " 2", " III", " Zero", " – Remastered", " (Early Access)"];

/** An invented name, about 15,000 different ones. */
function inventName(random: Random): string {
  return (
    random.pick(names.nameOnsets) + random.pick(names.nameMiddles) + random.pick(names.nameEndings)
  );
}

/** The title of a game: mostly Latin letters, sometimes Chinese, Cyrillic, Japanese or Korean. */
function inventTitle(random: Random, genre: Genre): string {
  if (random.chance(0.05)) {
    const { titleStarts, titleEnds } = random.pick(titleLocales);
    const title = random.pick(titleStarts) + random.pick(titleEnds);
    return random.chance(0.5) ? `${title} ${inventName(random)}` : title;
  }
  const [first, other] = random.pickMany(genre.nouns, 2);
  const expanded = expand(random.pickEarly(patterns), {
    adjective: random.pick(genre.adjectives),
    noun: first ?? at(genre.nouns, 0),
    other: other ?? at(genre.nouns, 1),
    name: inventName(random),
    number: String(random.integer(2, 99)),
  });
  const title = withArticles(expanded);
  return random.chance(0.12) ? title + random.pick(numerals) : title;
}

/** A title as part of a URL: lower-case ASCII letters, digits and hyphens, perhaps empty. */
export function slugify(title: string): string {
  return title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/['’]|\p{Mark}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
