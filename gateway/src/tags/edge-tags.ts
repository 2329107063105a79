import type { FeedName } from "@storefront/process";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { hash } from "node:crypto";
import type { Reads } from "./read-log.ts";
import { anythingTag } from "./tags.ts";
import { writtenTags } from "./written-tags.ts";

/** Header fields that CDNs read the tags of a response from: Fastly, Cloudflare, Varnish with vmod xkey. */
export const cdnTagHeaders = ["surrogate-key", "cache-tag", "xkey"] as const;

export type CdnTagHeader = (typeof cdnTagHeaders)[number];

/** 48 bits: a tag that two things share only purges responses that could have stayed. */
const edgeTagLength = 8;

/** Varnish takes header lines of 8 KiB with their names; Fastly and Cloudflare take 16 KiB. */
const fieldMaxBytes = 8000;

/** Touched by every write of a feed: for responses that read too much to name it. */
const anyWriteTag = "any write";

const edgeTag = (feed: FeedName, tag: string) =>
  hash("sha256", `${feed} ${tag}`, "base64url").slice(0, edgeTagLength);

/** The tag of every response that was made of the records behind a feed. */
export const wholeFeedTag = (feed: FeedName) => edgeTag(feed, anythingTag);

/** The tags of the responses that a write touches. */
export function purgedTags(feed: FeedName, entry: FeedEntry): string[] {
  return [anyWriteTag, ...writtenTags(entry)].map((tag) => edgeTag(feed, tag));
}

/** The tags of a response as a header field: its name and its value. */
export function tagField(header: CdnTagHeader, reads: Reads): [name: string, value: string] {
  const separator = header === "cache-tag" ? "," : " ";
  const join = (read: Reads) =>
    read.flatMap(([feed, tags]) => tags.map((tag) => edgeTag(feed, tag))).join(separator);
  const count = reads.reduce((sum, [, tags]) => sum + tags.length, 0);
  const isTooLong = count * (edgeTagLength + separator.length) > fieldMaxBytes;
  const coarse = reads.map(([feed]) => [feed, [anythingTag, anyWriteTag]] as const);
  return [header, join(isTooLong ? coarse : reads)];
}
