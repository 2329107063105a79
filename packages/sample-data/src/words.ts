import cityBuilder from "./words/genres/city-builder.json" with { type: "json" };
import detective from "./words/genres/detective.json" with { type: "json" };
import exploration from "./words/genres/exploration.json" with { type: "json" };
import farming from "./words/genres/farming.json" with { type: "json" };
import partyRhythm from "./words/genres/party-rhythm.json" with { type: "json" };
import platformer from "./words/genres/platformer.json" with { type: "json" };
import puzzle from "./words/genres/puzzle.json" with { type: "json" };
import racing from "./words/genres/racing.json" with { type: "json" };
import roguelike from "./words/genres/roguelike.json" with { type: "json" };
import rolePlaying from "./words/genres/role-playing.json" with { type: "json" };
import shooter from "./words/genres/shooter.json" with { type: "json" };
import spaceSimulation from "./words/genres/space-simulation.json" with { type: "json" };
import sports from "./words/genres/sports.json" with { type: "json" };
import strategy from "./words/genres/strategy.json" with { type: "json" };
import survivalHorror from "./words/genres/survival-horror.json" with { type: "json" };
import deDE from "./words/locales/de-de.json" with { type: "json" };
import esES from "./words/locales/es-es.json" with { type: "json" };
import frFR from "./words/locales/fr-fr.json" with { type: "json" };
import jaJP from "./words/locales/ja-jp.json" with { type: "json" };
import koKR from "./words/locales/ko-kr.json" with { type: "json" };
import ptBR from "./words/locales/pt-br.json" with { type: "json" };
import ruRU from "./words/locales/ru-ru.json" with { type: "json" };
import zhHantTW from "./words/locales/zh-hant-tw.json" with { type: "json" };

/** Names the genres; the translated words of a locale are keyed by it. */
type GenreKey = keyof typeof deDE.genres;

/**
 * The word material of one genre. The parts are written so that every combination reads as a
 * sentence: "Play {hero} who must {goal} {place} while {threat}."
 */
export interface Genre {
  readonly key: GenreKey;
  /** Used inside sentences: "a survival horror game". */
  readonly name: string;
  /** Names of tags (words/tags.json); the first is always on a game of this genre. */
  readonly tags: readonly string[];
  /** Age in years from which a typical game of the genre is suitable. */
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
  /** Names of add-ons. */
  readonly addOns: readonly string[];
  /** Name of the game's own currency. */
  readonly currency: string;
  /** Whole sentences of content reviewers. */
  readonly praise: readonly string[];
  /** Whole sentences of disappointed reviewers. */
  readonly complaints: readonly string[];
}

/** Every genre; a game has exactly one. */
export const genres = [
  cityBuilder,
  detective,
  exploration,
  farming,
  partyRhythm,
  platformer,
  puzzle,
  racing,
  roguelike,
  rolePlaying,
  shooter,
  spaceSimulation,
  sports,
  strategy,
  survivalHorror,
] as readonly Genre[];

/** The word material of one locale other than the canonical one. */
export interface Locale {
  /** BCP 47. */
  readonly locale: string;
  readonly genres: Readonly<Record<GenreKey, string>>;
  /** Whole descriptions; "{title}" and "{genre}" are filled in. */
  readonly descriptions: readonly string[];
  /** Sentences that fit any game. */
  readonly sentences: readonly string[];
  /** First parts of titles; empty where games keep their canonical title. */
  readonly titleStarts: readonly string[];
  /** Second parts of titles. */
  readonly titleEnds: readonly string[];
  /** Tag names that are translated. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Every locale that has texts of its own. */
export const locales: readonly Locale[] = [deDE, esES, frFR, jaJP, koKR, ptBR, ruRU, zhHantTW];

/** Locales in whose words some games are titled canonically. */
export const titleLocales = locales.filter(({ titleStarts }) => titleStarts.length > 0);

/**
 * A template with its "{name}" parts replaced; "{Name}" is replaced by the part with a capital letter.
 * @throws Error when a part is missing, so that a misspelt template fails at once.
 */
export function expand(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const exact = parts[name];
    if (exact !== undefined) return exact;
    const part = parts[name.charAt(0).toLowerCase() + name.slice(1)];
    if (part === undefined) throw new Error(`The template "${template}" has an unknown part`);
    return capitalize(part);
  });
}

/** The text with its first letter as a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The English text with "an" for "a" where the next word begins with a vowel. */
export function withArticles(text: string): string {
  return text.replace(/\b([Aa]) (?=[aeiou])/gi, "$1n ");
}
