import { z } from "zod";
import { zMobileFreeGame } from "../../../schemas/mobile-free-game.ts";
import { zCountry, zLocale } from "../../../schemas/parameters.ts";

export const zListMobileFreeGamesInput = z.object({ country: zCountry, locale: zLocale });

export const zListMobileFreeGamesOutput = z.array(zMobileFreeGame);
