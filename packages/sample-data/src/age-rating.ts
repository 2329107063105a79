import type { Game } from "./game.ts";
import { momentBetween, observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { Random } from "./random.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Genre } from "./words.ts";

const descriptors: Readonly<Record<Game["genre"]["minimumAge"], string>> = {
  0: "",
  7: "Mild Cartoon Violence",
  12: "Fantasy Violence, Mild Language",
  16: "Violence, Strong Language",
  18: "Blood and Gore, Intense Fear",
};

/** Age ratings of a sandbox: four in five games have those of the common systems and some of the rest. */
export function observeAgeRatings({
  source,
  game,
}: Sandbox): Observed<"ageRating", AgeRatingRecord>[] {
  const random = new Random(source.seed, "ageRating", game.index);
  const first = game.index === 0;
  if (!random.chance(0.8) && !first) return [];
  return ratingSystems
    .filter(({ share }) => random.chance(share) || first)
    .map((system) =>
      observe(
        "ageRating",
        momentBetween(random, game.createdMs, source.nowMs),
        createAgeRating(game, system),
      ),
    );
}

type AgeRatingRecord = ReturnType<typeof createAgeRating>;

function createAgeRating({ namespace, genre }: Game, system: RatingSystem) {
  const { minimumAge } = genre;
  const [age, gameRating, title] = system.ratings[minimumAge];
  return {
    namespace,
    ratingSystem: system.name,
    /** Years. */
    ageControl: age,
    gameRating,
    title,
    descriptor: descriptors[minimumAge],
    ratingImage: `https://ratings.example.invalid/${system.name.toLowerCase()}/${age}.png`,
    isIARC: system.name === "Generic",
  };
}

/** An age in years, its code and its title. */
type Rating = readonly [age: number, gameRating: string, title: string];

/** A national or regional system of age ratings. */
interface RatingSystem {
  /** As countries are assigned to it. */
  readonly name: string;
  /** Share of rated games that it has rated. */
  readonly share: number;
  /** By the age from which a game is suitable. */
  readonly ratings: Readonly<Record<Genre["minimumAge"], Rating>>;
}

export const ratingSystems: readonly RatingSystem[] = [
  {
    name: "ESRB",
    share: 1,
    ratings: {
      0: [0, "EVERYONE", "Everyone"],
      7: [10, "EVERYONE_10_PLUS", "Everyone 10+"],
      12: [13, "TEEN", "Teen"],
      16: [17, "MATURE", "Mature 17+"],
      18: [17, "MATURE", "Mature 17+"],
    },
  },
  { name: "PEGI", share: 1, ratings: plainAges("PEGI", [3, 7, 12, 16, 18]) },
  { name: "USK", share: 0.9, ratings: plainAges("USK", [0, 6, 12, 16, 18]) },
  { name: "Generic", share: 0.3, ratings: plainAges("AGE", [3, 7, 12, 16, 18]) },
  { name: "ClassInd", share: 0.2, ratings: plainAges("CLASSIND", [0, 10, 12, 16, 18]) },
  { name: "GRAC", share: 0.15, ratings: plainAges("GRAC", [0, 12, 12, 15, 19]) },
  { name: "CERO", share: 0.15, ratings: plainAges("CERO", [0, 12, 12, 15, 18]) },
  { name: "ACB", share: 0.15, ratings: plainAges("ACB", [0, 8, 13, 15, 18]) },
];

function plainAges(
  name: string,
  [a, b, c, d, e]: readonly [number, number, number, number, number],
): RatingSystem["ratings"] {
  const rating = (age: number): Rating => [age, `${name}_${age}`, `${name} ${age}`];
  return { 0: rating(a), 7: rating(b), 12: rating(c), 16: rating(d), 18: rating(e) };
}
