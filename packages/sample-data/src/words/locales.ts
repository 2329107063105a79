import type { Locale } from "./locale.ts";
import { deDE } from "./locales/de-de.ts";
import { esES } from "./locales/es-es.ts";
import { frFR } from "./locales/fr-fr.ts";
import { jaJP } from "./locales/ja-jp.ts";
import { koKR } from "./locales/ko-kr.ts";
import { ptBR } from "./locales/pt-br.ts";
import { ruRU } from "./locales/ru-ru.ts";
import { zhHantTW } from "./locales/zh-hant-tw.ts";

/** Every locale that has texts of its own. */
export const locales: readonly Locale[] = [deDE, esES, frFR, jaJP, koKR, ptBR, ruRU, zhHantTW];

/** Locales in whose words some games are titled canonically. */
export const titleLocales = locales.filter(({ titleStarts }) => titleStarts.length > 0);
