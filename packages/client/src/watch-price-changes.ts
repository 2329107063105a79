import { followStream } from "./follow-stream.ts";
import type { FollowStreamOptions } from "./follow-stream.ts";
import type { PriceChange } from "./gen/catalog-operations.ts";

/** Options to follow changes of prices. */
export interface WatchPriceChangesOptions extends FollowStreamOptions {
  /** Code of a pricing region; default all. */
  region?: string | undefined;
}

/**
 * The changes of prices as they happen, each once, in the order of the log. Reconnects after breaks as
 * `watchEntries` does.
 *
 * @throws CatalogError when a retry would not help: `NOT_FOUND` when the change to resume after is of a
 *   history that was lost, or later changes are no longer all stored: restart without `after`
 */
export function watchPriceChanges({
  region,
  ...options
}: WatchPriceChangesOptions): AsyncGenerator<PriceChange, void, undefined> {
  const query = region === undefined ? "" : `?region=${encodeURIComponent(region)}`;
  return followStream(`/price-changes/stream${query}`, options);
}
