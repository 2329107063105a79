import type { Game } from "./game.ts";
import type { Random } from "./random.ts";
import { at } from "./random.ts";
import type { Role } from "./role.ts";
import { expand } from "./words/expand.ts";
import {
  addOnSuffixes,
  bundleNames,
  codeNames,
  collectionPatterns,
  editionNames,
  extraNames,
  wrapperPatterns,
} from "./words/offers.ts";

/** The title of a sandbox's n-th offer. */
export function slotTitle(random: Random, game: Game, role: Role, n: number): string {
  return titles[role](random, game, n);
}

const titles: Readonly<Record<Role, (random: Random, game: Game, n: number) => string>> = {
  baseGame: (_, { title }) => title,
  prePurchase: (_, { title }) => `${title} – Pre-Purchase`,
  dlc: (random, { title, genre }, n) =>
    random.chance(0.6)
      ? `${title}: ${inTurn(genre.addOns, n)}`
      : `${title} - The ${random.pick(genre.adjectives)} ${random.pick(genre.nouns)}`,
  addOn: (random, { title, genre }, n) =>
    `${title}: ${inTurn(genre.addOns, n)}${random.pick(addOnSuffixes)}`,
  edition: (_, { title }, n) => `${title} ${inTurn(editionNames, n)}`,
  bundle: (random, { title }) => `${title} ${random.pick(bundleNames)}`,
  extra: (_, { title }, n) => `${title} ${inTurn(extraNames, n)}`,
  demo: (_, { title }) => `${title} Demo`,
  consumable: (random, { genre }) =>
    `${random.pick(genre.adjectives)} ${random.pick(genre.nouns)} Crate ×${random.integer(1, 20)}`,
  currency: (random, { genre }) =>
    `${(random.integer(1, 40) * 250).toLocaleString("en-US")} ${genre.currency}`,
  wrapper: (random, { title }) =>
    expand(random.pick(wrapperPatterns), { title, code: random.pick(codeNames) }),
  collection: (random, { genre }) =>
    expand(random.pick(collectionPatterns), { genre: at(genre.tags, 0) }),
};

/** Neighbours in a sandbox get different elements. */
function inTurn(list: readonly string[], n: number): string {
  return at(list, n % list.length);
}
