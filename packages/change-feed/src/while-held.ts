import type { Logger } from "@storefront/telemetry";
import type { FeedLease } from "./feed-lease.ts";

/**
 * Renews a lease all the time that a piece of work takes, which has long pauses between transactions.
 * A lease that is lost is noticed by the work's next transaction, which has to confirm it.
 */
export async function whileHeld<Result>(
  lease: FeedLease,
  logger: Logger,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewing: Promise<void> | undefined;
  const timer = setInterval(() => {
    // One waits as long as a transaction of the work, which has the lease locked anyway.
    renewing ??= lease
      .renew()
      .catch((err: unknown) => logger.warn({ err }, "the lease of a feed cannot be renewed now"))
      .finally(() => (renewing = undefined));
  }, lease.durationMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}
