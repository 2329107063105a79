import { followStream } from "./follow-stream.ts";
import type { FollowStreamOptions } from "./follow-stream.ts";
import type { ChangelogEntry } from "./gen/catalog-operations.ts";

/** Options to follow changes. */
export type WatchEntriesOptions = FollowStreamOptions;

/**
 * The changes of the catalogue as they happen, each once, in the order of the log. After a break the
 * client reconnects and resumes after the last change: it waits a second, twice as long after every further
 * failed attempt, at most 30 s, randomly up to a half less, and never shorter than `Retry-After`. Ends when
 * the signal is aborted.
 *
 * @throws CatalogError when a retry would not help: `NOT_FOUND` when the change to resume after is unknown,
 *   or it or an earlier one was undone since: restart without `after`
 */
export function watchEntries(
  options: WatchEntriesOptions,
): AsyncGenerator<ChangelogEntry, void, undefined> {
  return followStream("/changelist/stream", options);
}
