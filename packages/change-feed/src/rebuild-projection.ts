import { Code, createClient } from "@connectrpc/connect";
import { outsideCalls } from "@storefront/call-scope";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import type { FeedCursor } from "./feed-cursor.ts";
import type { FeedLease } from "./feed-lease.ts";
import type { FollowOptions } from "./follow-options.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import type { Quarantine } from "./quarantine.ts";
import type { Resynchronise } from "./resynchronise.ts";
import { Resynchroniser } from "./resynchroniser.ts";
import { retryQuarantined } from "./retry-quarantined.ts";

/** What a rebuild works with. */
export interface RebuildParts {
  readonly options: FollowOptions;
  readonly cursor: FeedCursor;
  /** Of the rebuild alone, so that nobody applies the feed meanwhile, not even this process. */
  readonly lease: FeedLease;
  readonly quarantine: Quarantine;
  readonly signal: AbortSignal;
}

/**
 * Makes anew what a follower holds, as its version makes it, and lets the feed be followed afterwards. Where it
 * breaks off the feed is followed from where it was.
 *
 * @throws ServiceError ABORTED, REBUILD_TAKEN_OVER, when a newer version or another rebuild has begun meanwhile.
 */
export async function rebuildProjection(
  parts: RebuildParts,
  rebuild: Resynchronise,
): Promise<void> {
  const { options, cursor, lease, signal } = parts;
  const client = createClient(FeedService, options.transport);
  await lease.seize();
  try {
    await new Resynchroniser({ ...parts, client }).run(rebuild, "asked", await cursor.read());
    signal.throwIfAborted();
    await retryQuarantined(parts);
  } catch (error) {
    throw error instanceof LeaseLostError ? takenOver(options.feed, error) : error;
  } finally {
    // Also when the call by which it was asked for is over.
    await outsideCalls(() => lease.giveBack());
  }
}

function takenOver(feed: string, cause: LeaseLostError): ServiceError {
  return new ServiceError({
    code: Code.Aborted,
    reason: ErrorReason.REBUILD_TAKEN_OVER,
    message: `another process or rebuild applies the feed of ${feed} now`,
    metadata: { feed },
    cause,
  });
}
