import { identifier } from "./identifier.ts";
import { Random } from "./random.ts";
import type { Seed } from "./seed.ts";
import { inventName } from "./title.ts";
import { expand } from "./words/expand.ts";
import { publisherPatterns, studioSuffixes, studioWords } from "./words/names.ts";

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
export function pickMakers(random: Random, seed: Seed): Makers {
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
