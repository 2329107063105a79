import type { Catalogue } from "./model/catalogue.ts";
import { freeGamesPageOf } from "./model/free-games-page.ts";
import type { GiveawayState } from "./model/free-games-page.ts";
import type { Model } from "./model/model.ts";
import type { Question } from "./questions.ts";

const states: readonly GiveawayState[] = ["current", "upcoming", "past"];
const platforms = ["", "desktop", "android", "ios", "android,ios", "ios,desktop,android"];
const readers = [
  { country: "US", locale: "en-US" },
  { country: "JP", locale: "ja-JP" },
  { country: "DE", locale: "de-DE" },
];
const readerAt = (index: number) =>
  readers[index % readers.length] ?? { country: "US", locale: "en-US" };

const limit = 3;

/** Questions for every page of giveaways, in each state and for each platform and some combinations. */
export function freeGameQuestions(catalogue: Catalogue, model: Model): Question[] {
  const now = Date.now();
  const pageMax = Math.ceil(catalogue.giveaway.size / limit) + 1;
  return states.flatMap((state) =>
    platforms.flatMap((platform) => {
      const wanted = platform === "" ? [] : platform.split(",");
      return Array.from({ length: pageMax }, (_, index): Question => {
        const page = index + 1;
        const { country, locale } = readerAt(index);
        const query = { state, platforms: wanted, country, locale, page, limit };
        const named = platform === "" ? "" : `&platform=${platform}`;
        return {
          path: `/free-games?state=${state}${named}&country=${country}&locale=${locale}&page=${page}&limit=${limit}`,
          expected: freeGamesPageOf(catalogue, model, query, now),
        };
      });
    }),
  );
}
