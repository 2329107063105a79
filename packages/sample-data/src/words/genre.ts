/** Names the genres; the translated words of a locale are keyed by it. */
export type GenreKey =
  | "cityBuilder"
  | "detective"
  | "exploration"
  | "farming"
  | "partyRhythm"
  | "platformer"
  | "puzzle"
  | "racing"
  | "rolePlaying"
  | "roguelike"
  | "shooter"
  | "spaceSimulation"
  | "sports"
  | "strategy"
  | "survivalHorror";

/**
 * The word material of one genre. The parts are written so that every combination reads as a
 * sentence: "Play {hero} who must {goal} {place} while {threat}."
 */
export interface Genre {
  readonly key: GenreKey;
  /** Used inside sentences: "a survival horror game". */
  readonly name: string;
  /** Names of tags (tags.ts); the first is always on a game of this genre. */
  readonly tags: readonly string[];
  /** Age in years from which a typical game of the genre is fit. */
  readonly minimumAge: 0 | 7 | 12 | 16 | 18;
  /** Single words for titles. */
  readonly adjectives: readonly string[];
  /** Single words for titles. */
  readonly nouns: readonly string[];
  /** Adjectives that describe the genre's feeling. */
  readonly moods: readonly string[];
  /** Noun phrases with an article. */
  readonly heroes: readonly string[];
  /** Verb phrases in the base form. */
  readonly goals: readonly string[];
  /** Prepositional phrases. */
  readonly places: readonly string[];
  /** Clauses in the present tense. */
  readonly threats: readonly string[];
  /** Whole sentences without a full stop. */
  readonly features: readonly string[];
  /** Names of things sold beside the game. */
  readonly addOns: readonly string[];
  /** What the game's own money is called. */
  readonly currency: string;
  /** Whole sentences of content reviewers. */
  readonly praise: readonly string[];
  /** Whole sentences of disappointed reviewers. */
  readonly complaints: readonly string[];
}
