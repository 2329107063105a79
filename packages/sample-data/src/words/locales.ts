import type { GenreKey } from "./genre.ts";
import deDE from "./locales/de-de.json" with { type: "json" };
import esES from "./locales/es-es.json" with { type: "json" };
import frFR from "./locales/fr-fr.json" with { type: "json" };
import jaJP from "./locales/ja-jp.json" with { type: "json" };
import koKR from "./locales/ko-kr.json" with { type: "json" };
import ptBR from "./locales/pt-br.json" with { type: "json" };
import ruRU from "./locales/ru-ru.json" with { type: "json" };
import zhHantTW from "./locales/zh-hant-tw.json" with { type: "json" };

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
