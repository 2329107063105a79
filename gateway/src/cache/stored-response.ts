import type { Audience, EndpointHeaders, Representations } from "../http/representations.ts";
import { tagField } from "../tags/edge-tags.ts";
import type { CdnTagHeader } from "../tags/edge-tags.ts";
import type { Reads } from "../tags/read-log.ts";
import type { FollowedFeeds, Positions } from "./followed-feeds.ts";

/** How long a response is as good as new, at most, when every write to what it was made of would be known. */
const maxFreshMs = 60_000;
/** How long after that it is still given while a new one is made: `stale-while-revalidate` of RFC 5861. */
const staleWhileRevalidateMs = 300_000;
/** How long one is good of which that is not so, or which a write has touched: a write shows within a second. */
export const unwatchedMs = 800;
/** How long it may stand in for one that cannot be made: `stale-if-error` of RFC 5861. */
const staleIfErrorMs = 3_600_000;

/** Version of a response whose feeds were not asked yet. */
export const neverAsked = -1;

const tagOverheadBytes = 40;

/** A stored response, in the words of RFC 9111: a response that is kept, and how to judge it. */
export interface StoredResponse {
  readonly representations: Representations;
  readonly reads: Reads;
  /** Whether feeds tell of every write to what it was made of. */
  readonly isFollowed: boolean;
  /** How long it is as good as new if feeds vouch for it; see {@link chooseFreshMs}. */
  freshMs: number;
  /** When its making began, on the clock of `performance.now()`. */
  madeAt: number;
  /** When time alone makes it another one, on the same clock. */
  endsAt: number;
  /** Where the feeds had been read to when it was made, or last found current. */
  begunAt: Positions;
  /** Of the feeds, when they were last asked. */
  version: number;
  /** What they said. */
  isCurrent: boolean;
  /** Whether they ever told of a write to what it was made of. */
  isTouched: boolean;
  /** Nothing new is tried before, because it has just failed; on the clock of `performance.now()`. */
  retryAt: number;
}

/**
 * What a response is good for: `fresh` to be given; `stale` to be given while a new one is made;
 * `stale_if_error` to stand in when none can be made; `gone` for nothing.
 */
export type Freshness = "fresh" | "stale" | "stale_if_error" | "gone";

/** What a response is good for now. */
export function freshnessOf(stored: StoredResponse, feeds: FollowedFeeds, now: number): Freshness {
  if (stored.version !== feeds.version && !stored.isTouched) askFeeds(stored, feeds, now);
  const ageMs = now - stored.madeAt;
  if (stored.isTouched) return ageMs < unwatchedMs ? "fresh" : "gone";
  if (stored.isCurrent && now < stored.endsAt) {
    if (ageMs < stored.freshMs) return "fresh";
    // What outlasted an outage is fresh until later than any other, and then stale for as long.
    if (ageMs < Math.max(maxFreshMs, stored.freshMs) + staleWhileRevalidateMs) return "stale";
  } else if (ageMs < unwatchedMs && (stored.isFollowed || now < stored.endsAt)) return "fresh";
  return ageMs < staleIfErrorMs ? "stale_if_error" : "gone";
}

/**
 * Headers of a response that was made of these: with their tags where a header names them for caches that are purged, and
 * otherwise without headers for such caches.
 */
export function taggedHeaders(
  { purged, ...headers }: EndpointHeaders,
  reads: Reads,
  tagHeader: CdnTagHeader | undefined,
): EndpointHeaders {
  if (tagHeader === undefined || purged === undefined || reads.length === 0) return headers;
  const field = tagField(tagHeader, reads);
  return { ...headers, shared: [...headers.shared, ...field], purged: [...purged, ...field] };
}

/**
 * Whom a response is for that `audience` may keep: a cache that is purged, where a purge would come for whatever makes it
 * another one. None comes when time does, and none for the list of reviews that one has moved from.
 */
export function audienceOf({ isCurrent, endsAt, reads }: StoredResponse, audience: Audience) {
  if (audience !== "shared" || !isCurrent || endsAt !== Number.POSITIVE_INFINITY) return audience;
  return reads.some(([feed]) => feed === "reviews") ? audience : "purged";
}

/**
 * Between half of the time that a response may be fresh and all of it, so that responses that were made
 * together are not all made anew together.
 */
export function chooseFreshMs(): number {
  return maxFreshMs * (0.5 + Math.random() / 2);
}

/** Whether a response that no feed vouches for was begun too long before somebody asked. */
export function isTooOldToJoin(startedAt: number, askedAt: number): boolean {
  return askedAt - startedAt >= unwatchedMs;
}

/** Bytes of the response with what is encoded of it so far; strings of tags and keys are of one byte each. */
export function sizeOf(key: string, { representations, reads }: StoredResponse): number {
  let sizeBytes = representations.sizeBytes + key.length;
  for (const [, tags] of reads) {
    for (const tag of tags) sizeBytes += tag.length + tagOverheadBytes;
  }
  return sizeBytes;
}

function askFeeds(stored: StoredResponse, feeds: FollowedFeeds, now: number): void {
  // Before they judge: what they vouch for may end meanwhile.
  const { version } = feeds;
  const verdict = feeds.judge(stored.reads, stored.begunAt);
  const isCurrent = stored.isFollowed && verdict === "current";
  // All that an outage has made old would be made anew at the moment when its service is back. What it has
  // not is left as it is: a service that goes away again and again must not keep it for ever.
  const isBack = isCurrent && !stored.isCurrent && stored.version !== neverAsked;
  const ageMs = now - stored.madeAt;
  if (isBack && ageMs >= stored.freshMs) stored.freshMs = ageMs + chooseFreshMs();
  stored.version = version;
  stored.isCurrent = isCurrent;
  stored.isTouched = verdict === "touched";
  // So that the feeds need not remember for longer than since somebody asked.
  if (verdict === "current") stored.begunAt = feeds.positions();
}
