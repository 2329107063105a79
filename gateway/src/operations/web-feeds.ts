import {
  getFreeGamesAtomFeed,
  getFreeGamesCalendar,
  getFreeGamesJsonFeed,
} from "./pricing/free-game-feeds.ts";
import { getQueryAtomFeed, getQueryJsonFeed } from "./search/query-feeds.ts";
import type { WebFeed } from "./web-feed.ts";

/** Every calendar and feed of the REST surface. */
export const webFeeds: readonly WebFeed[] = [
  getFreeGamesCalendar,
  getFreeGamesAtomFeed,
  getFreeGamesJsonFeed,
  getQueryAtomFeed,
  getQueryJsonFeed,
];
