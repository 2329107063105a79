import { TRPCError } from "@trpc/server";
import { feedNames } from "@storefront/config";
import type { FeedName } from "@storefront/config";
import { upstreamErrorOf } from "../upstream/upstream-error.ts";
import { watched } from "../upstream/watched.ts";
import type { FeedPlace } from "./cursor.ts";
import type { CopyFeeds } from "./copy-feeds.ts";
import { recordLine } from "./feed-line.ts";
import { inSlices } from "./in-slices.ts";

// A message is some pages of rows.
const waits = { openTimeoutMs: 30_000, silenceLimitMs: 30_000 };

/**
 * The lines of everything that the services export, but for saved queries, which are nobody else's. One message
 * of a service is in memory at a time.
 *
 * @param onPlace told for each feed where it goes on after what is given
 * @throws TRPCError when a service is away, or is of a release that gives no past
 */
export async function* readWhole(
  feeds: CopyFeeds,
  onPlace: (feed: FeedName, place: FeedPlace) => void,
  signal: AbortSignal,
): AsyncGenerator<string> {
  // In this order the changelog has the entries of every state of a record that was given.
  for (const feed of feedNames) {
    let isFirst = true;
    try {
      const messages = watched((call) => feeds[feed].readSnapshot({ withPast: true }, call), {
        ...waits,
        signal,
      });
      for await (const { entries, sequence, identity, hasPast } of messages) {
        if (!hasPast) throw tooOld(feed);
        if (isFirst) onPlace(feed, { sequence, identity });
        isFirst = false;
        for await (const lines of inSlices(entries, recordLine)) yield lines.join("");
      }
    } catch (error) {
      throw upstreamErrorOf(feed, error);
    }
  }
}

function tooOld(feed: FeedName): TRPCError {
  return new TRPCError({
    code: "BAD_GATEWAY",
    message: `The ${feed} service is of a release that gives no snapshot of its past; it has to be updated.`,
  });
}
