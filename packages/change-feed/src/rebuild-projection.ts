import { Code } from "@connectrpc/connect";
import { outsideCalls } from "@storefront/call-scope";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { FeedConsumer } from "./feed-consumer.ts";
import { LeaseLostError } from "./feed-lease.ts";
import type { FollowerParts } from "./follower-parts.ts";
import { Resynchroniser } from "./resynchroniser.ts";
import { retryQuarantined } from "./retry-quarantined.ts";

/**
 * Makes anew what a follower holds, as its version makes it, and lets the feed be followed afterwards; does nothing where
 * the follower has no way to. Where it breaks off the feed is followed from where it was, and whoever does so goes on
 * with the snapshot.
 *
 * @throws ServiceError ABORTED, REBUILD_TAKEN_OVER, when a newer version or another rebuild has begun meanwhile.
 */
export async function rebuildProjection(parts: FollowerParts): Promise<void> {
  const { options, cursor, lease, signal } = parts;
  const { rebuild, snapshot } = options;
  if (rebuild === undefined && snapshot === undefined) return;
  await lease.seize();
  try {
    if (rebuild === undefined) await new FeedConsumer(parts).rebuild();
    else await new Resynchroniser(parts).run(rebuild, "asked", await cursor.read());
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
