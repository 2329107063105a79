import type { Game } from "./game.ts";
import { identifier, numberIn, Random } from "./random.ts";
import { dayMs, iso, momentBetween, observe } from "./observe.ts";
import type { Role, Sandbox, Slot } from "./sandbox.ts";
import type { Seed } from "./random.ts";
import words from "./words/reviews.json" with { type: "json" };

/** Roles whose offers are reviewed: not pre-purchases, consumables, currency, wrappers or collections. */
const reviewedRoles: ReadonlySet<Role> = new Set([
  "baseGame",
  "dlc",
  "addOn",
  "edition",
  "bundle",
  "extra",
  "demo",
]);

/** Most reviews of an offer, by their numbers in the sandbox: the base game's come first. */
const mostReviews = { ofGame: 128, ofOther: 16 };

/** Reviews of a sandbox: a hundred of the best known games, some of most other offers. */
export function observeReviews(sandbox: Sandbox) {
  const { source, game, slots } = sandbox;
  if (game.upcoming) return [];
  return slots.flatMap((slot) => {
    if (!reviewedRoles.has(slot.role)) return [];
    const random = new Random(source.seed, "review", slot.number);
    const first = slot.n === 0 ? 0 : mostReviews.ofGame + slot.n * mostReviews.ofOther;
    return Array.from({ length: reviewCount(random, slot) }, (_, n) =>
      observeReview(sandbox, slot, random, first + n),
    );
  });
}

function reviewCount(random: Random, { role, number }: Slot): number {
  if (number > 0 && random.chance(role === "baseGame" ? 0.05 : 0.25)) return 0;
  if (role !== "baseGame") return random.integer(1, 6);
  return Math.min(100, Math.ceil(4 / (random.unit() + 0.04)));
}

function observeReview({ source, game }: Sandbox, slot: Slot, random: Random, n: number) {
  const createdMs = momentBetween(random, game.releasedMs, source.nowMs);
  const edited = random.chance(0.1);
  const updatedMs = edited
    ? momentBetween(random, createdMs, Math.min(source.nowMs, createdMs + 90 * dayMs))
    : createdMs;
  const rating = createRating(random, game);
  return observe("review", updatedMs, {
    id: identifier(source.seed, "review", numberIn(game.index, n), 24),
    offerId: slot.offerId,
    /** From 0 to 10. */
    rating,
    ...createText(random, game, rating),
    tags: random.pickMany(words.aspects, random.integer(0, 3)),
    recommended: rating >= 6,
    verified: random.chance(0.1) ? null : random.chance(0.75),
    createdAt: iso(createdMs),
    updatedAt: iso(updatedMs),
    user: createPlayer(random, source.seed),
  });
}

/** Around the game's quality, with a few players who love or hate everything. */
function createRating(random: Random, { quality }: Game): number {
  const extreme = random.unit();
  if (extreme < 0.04) return 0;
  if (extreme > 0.9) return 10;
  const spread = (random.unit() + random.unit() - 1) * 4;
  return Math.min(10, Math.max(0, Math.round(quality * 10 + spread)));
}

function createText(random: Random, { genre }: Game, rating: number) {
  const mood = rating >= 7 ? "good" : rating >= 5 ? "mixed" : "bad";
  const ofGenre = rating >= 6 ? genre.praise : genre.complaints;
  const content = [random.pick(ofGenre), ...random.pickMany(words.remarks[mood], 2)].join(" ");
  return { title: random.pick(words.titles[mood]), content };
}

/** Number of players that write reviews, for any size of the catalogue. */
const playerCount = 50_000;

/** One of the players; the same one always has the same data. */
function createPlayer(random: Random, seed: Seed) {
  const number = random.integer(0, playerCount - 1);
  const naming = new Random(seed, "player", number);
  const id = identifier(seed, "player", number);
  const digits = naming.chance(0.4) ? String(naming.integer(1, 99)) : "";
  return {
    id,
    displayName: naming.pick(words.playerAdjectives) + naming.pick(words.playerNouns) + digits,
    avatarUrl: naming.chance(0.7) ? `https://avatars.example.invalid/${id.slice(0, 12)}.png` : null,
  };
}
