import { ConnectError } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  FeedService,
  WatchChangesRequestSchema,
} from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry, WatchChangesResponse } from "@storefront/contracts/feed/v1/feed_service";

type Request = MessageInitShape<typeof WatchChangesRequestSchema>;

/** The messages of a feed, until the caller stops. */
export async function* watch(
  client: Client<typeof FeedService>,
  request: Request,
): AsyncGenerator<WatchChangesResponse> {
  const stop = new AbortController();
  try {
    yield* client.watchChanges(request, { timeoutMs: 0, signal: stop.signal });
  } finally {
    stop.abort();
  }
}

/** The first message of a feed. */
export async function firstOf(
  client: Client<typeof FeedService>,
  request: Request,
): Promise<WatchChangesResponse> {
  for await (const message of watch(client, request)) return message;
  throw new Error("the feed ended");
}

/** The first entries after a sequence, at least `count`. */
export async function entriesOf(
  client: Client<typeof FeedService>,
  afterSequence: bigint,
  count: number,
  kinds: string[] = [],
): Promise<FeedEntry[]> {
  const found: FeedEntry[] = [];
  for await (const { entries } of watch(client, { afterSequence, kinds })) {
    found.push(...entries);
    if (found.length >= count) break;
  }
  return found;
}

/** The error with which the feed rejects a request. */
export async function failureOf(
  client: Client<typeof FeedService>,
  request: Request,
): Promise<ConnectError> {
  try {
    await watch(client, request).next();
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error("the call did not fail");
}
