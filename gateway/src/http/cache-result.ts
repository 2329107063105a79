/**
 * How the response cache answered a request:
 *
 * - `fresh`, `stale`: by a stored response, which a new one replaces if it was stale;
 * - `stale_if_error`: by a stored one because a new one cannot be made;
 * - `shared`: by one that another gateway has made;
 * - `joined`: by one that was being made for another request;
 * - `miss`: by one made for it, or by a failure to make one;
 * - `uncacheable`: by one made for it that has no key, as with a country that there is not.
 */
export const cacheResults = [
  "fresh",
  "stale",
  "stale_if_error",
  "shared",
  "joined",
  "miss",
  "uncacheable",
] as const;

export type CacheResult = (typeof cacheResults)[number];
