import { identifier } from "./identifier.ts";
import { at, Random } from "./random.ts";
import type { Seed, Source } from "./seed.ts";
import { slugify } from "./slug.ts";
import { dayMs, fullHour, momentBetween } from "./time.ts";
import { inventName, inventTitle } from "./title.ts";
import { expand } from "./words/expand.ts";
import type { Genre } from "./words/genre.ts";
import { genres } from "./words/genres.ts";
import { publisherPatterns, studioSuffixes, studioWords } from "./words/names.ts";
import { engines, libraries } from "./words/technologies.ts";
import type { Technology } from "./words/technologies.ts";

/** What everything in a sandbox has in common. */
export interface Game {
  /** The sandbox's place in the catalogue, from 0. */
  readonly index: number;
  readonly namespace: string;
  readonly title: string;
  readonly slug: string;
  readonly genre: Genre;
  readonly makers: Makers;
  readonly platforms: readonly string[];
  readonly technologies: readonly Technology[];
  /** When its records were made, in ms since 1970; never after now. */
  readonly createdMs: number;
  /** When it came or will come out, in ms since 1970. */
  readonly releasedMs: number;
  readonly upcoming: boolean;
  /** How good players find it, from 0 to 1. */
  readonly quality: number;
}

/** Whether the n-th game is still to come: every twelfth, so that small catalogues have one. */
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
  const engineShare = random.chance(0.86) ? [random.pickEarly(engines)] : [];
  return {
    index,
    namespace,
    title,
    slug: slugify(title) || `game-${namespace.slice(0, 8)}`,
    genre,
    makers: pickMakers(random, seed),
    platforms: pickPlatforms(random, index),
    technologies: [...engineShare, ...random.pickMany(libraries, random.integer(0, 3))],
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

/** How many publishers sell games, whatever the catalogue's size. */
const publisherCount = 90;
/** How many studios make games, whatever the catalogue's size. */
const studioCount = studioWords.length * studioSuffixes.length;

/** Who made and who sells a game. */
export interface Makers {
  readonly developer: string;
  readonly developerId: string;
  readonly publisher: string;
  /** The publisher's identifier as a seller. */
  readonly sellerId: string;
}

/** Makers of a game; a few publishers have many games, and some studios publish themselves. */
function pickMakers(random: Random, seed: Seed): Makers {
  const studio = random.integer(0, studioCount - 1);
  const developer = `${studioWords[studio % studioWords.length]} ${studioSuffixes[Math.floor(studio / studioWords.length)]}`;
  const developerId = `o-${identifier(seed, "studio", studio)}`;
  if (random.chance(0.2))
    return { developer, developerId, publisher: developer, sellerId: developerId };
  const number = Math.floor(random.unit() ** 2 * publisherCount);
  const naming = new Random(seed, "publisher", number);
  const publisher = expand(naming.pick(publisherPatterns), { name: inventName(naming) });
  const sellerId = `o-${identifier(seed, "publisher", number)}`;
  return { developer, developerId, publisher, sellerId };
}
