import type { Game } from "./game.ts";
import { identifier } from "./random.ts";
import type { Random, Seed } from "./random.ts";
import type { Role } from "./sandbox.ts";
import { expand, withArticles } from "./words.ts";

const pitches = [
  "Play {hero} who must {goal} {place} while {threat}.",
  "{Place}, {threat}. As {hero}, {goal} – before anyone else does.",
  "{Goal} {place} in this {mood} {genre} game.",
  "{Mood} {genre}: you are {hero}, and you have to {goal} {place}.",
  "A {mood} tale of {hero}. {Goal} {place}, where {threat}.",
];

const openings = [
  "{title} is a {mood} {genre} game set {place}.",
  "Welcome to {title}, a {mood} {genre} experience by {developer}.",
  "From {developer} comes {title}, a {genre} game in which {threat}.",
];

const additions: Readonly<Partial<Record<Role, string>>> = {
  prePurchase: "Pre-purchase now and start on the first day. {pitch}",
  dlc: "New chapter for {game}: {goal} {place}. The base game is required.",
  addOn: "Adds {title} to {game} (the base game is required).",
  edition: "Contains {game} and what was added first. {pitch}",
  bundle: "Everything there is of {game} in one purchase. {pitch}",
  extra: "Made beside {game}: yours to keep outside of the game.",
  demo: "Try the first hour of {game} for free. {pitch}",
  consumable: "Something for {game} that is used up once opened.",
  currency: "Money for {game}, to be spent inside the game.",
  collection: "A hand-picked collection of {genre} games.",
};

/** Both descriptions of an offer. */
interface Description {
  readonly short: string;
  readonly long: string | null;
}

/** Descriptions in the words of the game's genre; only offers that are sold as games have a long one. */
export function describe(random: Random, game: Game, role: Role, title: string): Description {
  const { genre } = game;
  const parts = {
    title,
    game: game.title,
    genre: genre.name,
    developer: game.makers.developer,
    mood: random.pick(genre.moods),
    hero: random.pick(genre.heroes),
    goal: random.pick(genre.goals),
    place: random.pick(genre.places),
    threat: random.pick(genre.threats),
  };
  if (role === "wrapper") return { short: title, long: null };
  const pitch = expand(random.pick(pitches), parts);
  const addition = additions[role];
  const short = withArticles(
    addition === undefined ? pitch : expand(addition, { ...parts, pitch }),
  );
  const isGame = role === "baseGame" || role === "edition" || role === "prePurchase";
  if (!isGame || random.chance(0.05)) return { short, long: null };
  const features = random.pickMany(genre.features, random.integer(3, 5));
  const long = [
    expand(random.pick(openings), parts),
    pitch,
    features.map((feature) => `- ${feature}.`).join("\n"),
  ].join("\n\n");
  return { short, long: withArticles(long) };
}

/** Shapes of pictures; an offer has the first few. */
const shapes = [
  { type: "Thumbnail", width: 340, height: 440 },
  { type: "OfferImageWide", width: 2560, height: 1440 },
  { type: "OfferImageTall", width: 1200, height: 1600 },
  { type: "Logo", width: 800, height: 400 },
  { type: "Screenshot", width: 1920, height: 1080 },
];

/** The first `count` pictures, at most five, of the offer or item with that number. */
export function createImages(seed: Seed, number: number, count: number) {
  return shapes.slice(0, count).map((shape, n) => {
    const md5 = identifier(seed, "image", number * shapes.length + n);
    // Drawn by the gateway of the catalogue: relative to its URL, which may change.
    const url = `/art/${md5}-${shape.width}x${shape.height}.svg`;
    return { ...shape, url, md5 };
  });
}

/** A free attribute of an offer or item. */
export interface AttributeRecord {
  readonly key: string;
  readonly type: "STRING" | "BOOLEAN" | "INTEGER";
  readonly value: string;
}

/** A text attribute. */
export function textAttribute(key: string, value: string): AttributeRecord {
  return { key, type: "STRING", value };
}

/** An attribute that is true. */
export function trueAttribute(key: string): AttributeRecord {
  return { key, type: "BOOLEAN", value: "true" };
}
