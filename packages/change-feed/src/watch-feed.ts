import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  WatchChangesRequestSchema,
  WatchChangesResponse,
} from "@storefront/contracts/feed/v1/feed_service";
import type { FollowerParts } from "./follower-parts.ts";
import { withIdleLimit } from "./with-idle-limit.ts";

/** For streams with heartbeats: three may be late, none may be lost for ever. */
const defaultIdleLimitMs = 15_000;

/** The stream of a follower from a place on, with the kinds that it follows; see {@link withIdleLimit}. */
export function watchFeed(
  { client, options }: Pick<FollowerParts, "client" | "options">,
  from: MessageInitShape<typeof WatchChangesRequestSchema>,
  signal: AbortSignal,
): AsyncGenerator<WatchChangesResponse> {
  const { kinds = [], idleLimitMs = defaultIdleLimitMs } = options;
  const request = { ...from, kinds: [...kinds] };
  return withIdleLimit(
    (ended) => client.watchChanges(request, { signal: ended, timeoutMs: 0 }),
    idleLimitMs,
    signal,
  );
}
