import {
  getFreeGamesAtomFeed,
  getFreeGamesCalendar,
  getFreeGamesJsonFeed,
} from "./pricing/free-game-feeds.ts";
import { getQueryAtomFeed } from "./search/query-feeds/get-query-atom-feed.ts";
import { getQueryJsonFeed } from "./search/query-feeds/get-query-json-feed.ts";
import type { WebFeed } from "./web-feed.ts";

/** Every calendar and feed of the REST surface. */
export const webFeeds: readonly WebFeed[] = [
  getFreeGamesCalendar,
  getFreeGamesAtomFeed,
  getFreeGamesJsonFeed,
  getQueryAtomFeed,
  getQueryJsonFeed,
];
