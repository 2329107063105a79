import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  WatchChangesRequestSchema,
  WatchChangesResponse,
} from "@storefront/contracts/feed/v1/feed_service";
import { readStream } from "@storefront/rpc";
import type { FollowerParts } from "./follower-parts.ts";

/** The stream of a follower from a position, with the kinds that it follows. */
export function watchFeed(
  { client, options }: Pick<FollowerParts, "client" | "options">,
  from: MessageInitShape<typeof WatchChangesRequestSchema>,
  signal: AbortSignal,
): AsyncGenerator<WatchChangesResponse> {
  const { kinds = [], idleLimitMs } = options;
  return readStream({
    open: (call) => client.watchChanges({ ...from, kinds: [...kinds] }, call),
    silenceLimitMs: idleLimitMs,
    signal,
  });
}
