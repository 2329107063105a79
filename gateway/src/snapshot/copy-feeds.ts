import type { Client } from "@connectrpc/connect";
import type { FeedName } from "@storefront/config";
import type { FeedService } from "@storefront/contracts/feed/v1/feed_service";

/** The feeds that copies are made of. */
export type CopyFeeds = Readonly<
  Record<FeedName, Pick<Client<typeof FeedService>, "readSnapshot" | "watchChanges">>
>;
