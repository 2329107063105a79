import { Code } from "@connectrpc/connect";
import { outsideCalls } from "@storefront/call-scope";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { LeaseLostError } from "./feed-lease.ts";
import type { FollowerParts } from "./follower-parts.ts";
import type { Resynchronise } from "./resynchronise.ts";
import { Resynchroniser } from "./resynchroniser.ts";
import { retryQuarantined } from "./retry-quarantined.ts";

/**
 * Makes anew what a follower holds, as its version makes it, and lets the feed be followed afterwards. Where it
 * breaks off the feed is followed from where it was.
 *
 * @throws ServiceError ABORTED, REBUILD_TAKEN_OVER, when a newer version or another rebuild has begun meanwhile.
 */
export async function rebuildProjection(
  parts: FollowerParts,
  rebuild: Resynchronise,
): Promise<void> {
  const { options, cursor, lease, signal } = parts;
  await lease.seize();
  try {
    await new Resynchroniser(parts).run(rebuild, "asked", await cursor.read());
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
