import { followStream } from "./follow-stream.ts";
import type { FollowStreamOptions } from "./follow-stream.ts";
import type { ChangelogEntry } from "./gen/catalog-operations.ts";

/** Which changes to follow, and how. */
export type WatchEntriesOptions = FollowStreamOptions;

/**
 * The changes of the catalogue as they happen, each once, in the order of the log. After a break the
 * client comes back and goes on after the last change it has got: it waits a second, twice as long
 * after every other try that fails, at most 30 s, by chance up to a half less, and never shorter than
 * `Retry-After`. Ends when the signal is aborted.
 *
 * @throws CatalogError when a retry would not help: `NOT_FOUND` when the change to continue after was
 *   undone since: restart without `after`
 */
export function watchEntries(
  options: WatchEntriesOptions,
): AsyncGenerator<ChangelogEntry, void, undefined> {
  return followStream("/changelist/stream", options);
}
