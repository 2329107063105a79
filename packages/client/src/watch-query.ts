import { followStream } from "./follow-stream.ts";
import type { FollowStreamOptions } from "./follow-stream.ts";

/** An offer that entered or left the results of a saved query. */
export interface QueryEvent {
  id: string;
  type: "entered" | "left";
  offerId: string;
  /** When it was seen, in ISO 8601. */
  date: string;
}

/** Options to follow a query. */
export interface WatchQueryOptions extends FollowStreamOptions {
  /** Of a query that `createQuery` has saved. */
  id: string;
  /** Chooses the pricing region; default `US`. */
  country?: string | undefined;
}

/**
 * Offers that enter or leave the results of a saved query, each event once, in order. Reconnects as `watchEntries`
 * does.
 *
 * @throws CatalogError when a retry would not help: `NOT_FOUND` when there is no such query, or the events after
 *   `after` are not stored
 */
export function watchQuery({
  id,
  country,
  ...options
}: WatchQueryOptions): AsyncGenerator<QueryEvent, void, undefined> {
  const query = country === undefined ? "" : `?country=${encodeURIComponent(country)}`;
  return followStream(`/queries/${encodeURIComponent(id)}/stream${query}`, options);
}
