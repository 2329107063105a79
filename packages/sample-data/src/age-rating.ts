import type { Game } from "./game.ts";
import { observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import { Random } from "./random.ts";
import type { Sandbox } from "./plan-sandbox.ts";
import { momentBetween } from "./time.ts";
import { ratingSystems } from "./words/rating-systems.ts";
import type { RatingSystem } from "./words/rating-systems.ts";

const descriptors: Readonly<Record<Game["genre"]["minimumAge"], string>> = {
  0: "",
  7: "Mild Cartoon Violence",
  12: "Fantasy Violence, Mild Language",
  16: "Violence, Strong Language",
  18: "Blood and Gore, Intense Fear",
};

/** Age ratings of a sandbox: four in five games have the common systems' and some of the rest. */
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

export type AgeRatingRecord = ReturnType<typeof createAgeRating>;

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
