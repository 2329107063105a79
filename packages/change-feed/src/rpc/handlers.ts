import type { ServiceImpl } from "@connectrpc/connect";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import { DatabaseUnavailableError } from "@storefront/database";
import { unavailable } from "@storefront/rpc";

/** The handlers of FeedService, by method. */
export type FeedHandlers = ServiceImpl<typeof FeedService>;

/** The handlers of FollowerService, by method. */
export type FollowerHandlers = ServiceImpl<typeof FollowerService>;

/** The kinds that a request asks for; undefined means all. */
export function wantedOf(kinds: string[]): string[] | undefined {
  return kinds.length === 0 ? undefined : kinds;
}

/** The error as callers get it: that the database cannot be reached is UNAVAILABLE. */
export function callerErrorOf(error: unknown): unknown {
  return error instanceof DatabaseUnavailableError ? unavailable("database", error) : error;
}
