import type { GenreKey } from "./genre.ts";

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
