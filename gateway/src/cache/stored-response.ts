import { isDeepStrictEqual } from "node:util";
import { Representations } from "../http/representations.ts";
import type { Audience, EndpointHeaders } from "../http/representations.ts";
import { tagField } from "../tags/edge-tags.ts";
import type { CdnTagHeader } from "../tags/edge-tags.ts";
import type { Reads } from "../tags/read-log.ts";
import type { FollowedFeeds, Positions } from "./followed-feeds.ts";

/** Longest freshness lifetime of a response that the feeds vouch for. */
const maxFreshMs = 60_000;
/** How long after that it is served while it is renewed: `stale-while-revalidate` of RFC 5861. */
const staleWhileRevalidateMs = 300_000;
/** Freshness lifetime of a response that no feed vouches for, or that a write has touched: a write shows in a second. */
export const unwatchedMs = 800;
/** How long a response may replace one that cannot be made: `stale-if-error` of RFC 5861. */
const staleIfErrorMs = 3_600_000;

/** Version of a response that the feeds have not judged yet. */
const neverJudged = -1;

const tagOverheadBytes = 40;

/** A stored response (RFC 9111), and how to judge it. Times are on the clock of `performance.now()`. */
export interface StoredResponse {
  readonly representations: Representations;
  readonly reads: Reads;
  /** Whether the feeds have every write to what it was made of. */
  readonly isFollowed: boolean;
  /** Its freshness lifetime if the feeds vouch for it; see {@link chooseFreshMs}. */
  freshMs: number;
  /** When its making began. */
  madeAt: number;
  /** When time alone changes it. */
  endsAt: number;
  /** Up to where the feeds had been read when it was begun, or last found current. */
  begunAt: Positions;
  /** Of the feeds when they last judged it. */
  version: number;
  isCurrent: boolean;
  /** Whether a write to what it was made of was ever seen. */
  isTouched: boolean;
  /** It is not renewed before, because that has just failed. */
  retryAt: number;
}

/**
 * How a response may be used: `fresh` and `stale` as it is, the latter while it is renewed; `stale_if_error` where none
 * can be made; `gone` not at all.
 */
export type Freshness = "fresh" | "stale" | "stale_if_error" | "gone";

/**
 * A response that was made, here or by another gateway, judged by the feeds.
 *
 * @param content its body, the headers of its endpoint, and what names its tags to caches that are purged; default none
 */
export function createStoredResponse(
  content: { body: Buffer; endpointHeaders: EndpointHeaders; tagHeader: CdnTagHeader | undefined },
  made: Pick<StoredResponse, "reads" | "isFollowed" | "madeAt" | "endsAt" | "begunAt">,
  feeds: FollowedFeeds,
): StoredResponse {
  const headers = taggedHeaders(content.endpointHeaders, made.reads, content.tagHeader);
  const stored: StoredResponse = {
    ...made,
    representations: new Representations(content.body, headers),
    freshMs: chooseFreshMs(),
    version: neverJudged,
    isCurrent: false,
    isTouched: false,
    retryAt: Number.NEGATIVE_INFINITY,
  };
  judge(stored, feeds, performance.now());
  return stored;
}

export function freshnessOf(stored: StoredResponse, feeds: FollowedFeeds, now: number): Freshness {
  if (stored.version !== feeds.version && !stored.isTouched) judge(stored, feeds, now);
  const ageMs = now - stored.madeAt;
  if (stored.isTouched) return ageMs < unwatchedMs ? "fresh" : "gone";
  if (stored.isCurrent && now < stored.endsAt) {
    if (ageMs < stored.freshMs) return "fresh";
    // A response that outlasted an outage is fresh until later than any other, and then stale for as long.
    if (ageMs < Math.max(maxFreshMs, stored.freshMs) + staleWhileRevalidateMs) return "stale";
  } else if (ageMs < unwatchedMs && (stored.isFollowed || now < stored.endsAt)) return "fresh";
  return ageMs < staleIfErrorMs ? "stale_if_error" : "gone";
}

function judge(stored: StoredResponse, feeds: FollowedFeeds, now: number): void {
  // Read first: a lease may end meanwhile.
  const { version } = feeds;
  const verdict = feeds.judge(stored.reads, stored.begunAt);
  const isCurrent = stored.isFollowed && verdict === "current";
  // Otherwise all that an outage has made stale would be renewed at the moment when its service is back. Responses that
  // are fresh are left alone: a service that fails again and again must not prolong them for ever.
  const isBack = isCurrent && !stored.isCurrent && stored.version !== neverJudged;
  const ageMs = now - stored.madeAt;
  if (isBack && ageMs >= stored.freshMs) stored.freshMs = ageMs + chooseFreshMs();
  stored.version = version;
  stored.isCurrent = isCurrent;
  stored.isTouched = verdict === "touched";
  // So that the feeds need not remember for longer than since the last use.
  if (verdict === "current") stored.begunAt = feeds.positions();
}

/**
 * Freshens a stored response (RFC 9111, 4.3.4) by a newer one with the same content, and returns whether it has that. So
 * its encoded forms stay, and what outlives a full collection in the memory of the process is one set of responses.
 */
export function freshen(stored: StoredResponse, newer: StoredResponse): boolean {
  const { representations, reads } = stored;
  const isSame =
    stored.isFollowed === newer.isFollowed &&
    representations.isLike(newer.representations) &&
    isDeepStrictEqual(reads, newer.reads);
  if (isSame) Object.assign(stored, newer, { representations, reads });
  return isSame;
}

/** Headers with the tags of a response, where a header names them for caches that are purged; else without their headers. */
function taggedHeaders(
  { purged, ...headers }: EndpointHeaders,
  reads: Reads,
  tagHeader: CdnTagHeader | undefined,
): EndpointHeaders {
  if (tagHeader === undefined || purged === undefined || reads.length === 0) return headers;
  const field = tagField(tagHeader, reads);
  return { ...headers, shared: [...headers.shared, ...field], purged: [...purged, ...field] };
}

/**
 * The audience of a response: caches that are purged only where a purge follows each change. None follows a change by
 * time, nor one of the list of reviews that a review has left.
 */
export function audienceOf({ isCurrent, endsAt, reads }: StoredResponse, audience: Audience) {
  if (audience !== "shared" || !isCurrent || endsAt !== Number.POSITIVE_INFINITY) return audience;
  return reads.some(([feed]) => feed === "reviews") ? audience : "purged";
}

/** Random, between half and all of the longest, so that responses that were made together do not expire together. */
export function chooseFreshMs(): number {
  return maxFreshMs * (0.5 + Math.random() / 2);
}

/** Whether a response that no feed vouches for was begun too long before a request. */
export function isTooOldToJoin(startedAt: number, askedAt: number): boolean {
  return askedAt - startedAt >= unwatchedMs;
}

/** Bytes of the response with its encoded forms; strings of tags and keys have one byte per character. */
export function sizeOf(key: string, { representations, reads }: StoredResponse): number {
  let sizeBytes = representations.sizeBytes + key.length;
  for (const [, tags] of reads) {
    for (const tag of tags) sizeBytes += tag.length + tagOverheadBytes;
  }
  return sizeBytes;
}
