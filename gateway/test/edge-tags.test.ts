import { create } from "@bufbuild/protobuf";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { describe, expect, test, vi } from "vitest";
import { cdnTagHeaders, purgedTags, tagField, wholeFeedTag } from "../src/tags/edge-tags.ts";
import type { HttpResponse } from "./support/http-client.ts";
import { useCachingStack } from "./support/start-stack.ts";

const forBrowsers = "public, max-age=60, stale-while-revalidate=300";
const forPurged = `${forBrowsers}, s-maxage=86400`;

const tagsOf = ({ headers }: HttpResponse) => String(headers["xkey"]).split(" ");

describe("with a header for tags", () => {
  const stack = useCachingStack({ cdnTagHeader: "xkey" });

  /** Repeats a request until every feed vouches for the response. */
  const vouchedFor = (path: string) =>
    vi.waitUntil(async () => {
      const response = await stack().ask(path);
      return response.headers["cache-control"] === forPurged && response;
    });

  test.each([
    "/offers/full/price",
    "/trpc/catalog.getSandbox?input=%7B%22sandboxId%22%3A%22room%22%7D",
  ])(
    "%s may stay in a purged cache for a day, whether it is made, cached or a 304",
    async (path) => {
      const made = await vouchedFor(path);
      expect(tagsOf(made).length).toBeGreaterThan(1);
      const { etag = "" } = made.headers;
      const headers = { "accept-encoding": "br", "if-none-match": etag };
      const again = await stack().ask(path, { headers: { "accept-encoding": "br" } });
      const unchanged = await stack().ask(path, { headers });
      for (const { headers: own } of [again, unchanged]) {
        expect(own).toMatchObject({ "cache-control": forPurged, xkey: made.headers["xkey"] });
      }
    },
  );

  test("a response has a tag of each write that touches it, and of no other", async () => {
    const tags = tagsOf(await vouchedFor("/offers/full/price"));
    const purged = (feed: "catalog" | "pricing", kind: string, ...key: string[]) =>
      purgedTags(feed, create(FeedEntrySchema, { kind, key, namespace: "room" }));
    const isPurgedBy = (written: string[]) => tags.some((tag) => written.includes(tag));
    expect(isPurgedBy(purged("pricing", "price", "full", "US"))).toBe(true);
    expect(isPurgedBy(purged("pricing", "price", "full", "EURO"))).toBe(false);
    expect(isPurgedBy(purged("catalog", "price", "full", "US"))).toBe(false);
    expect(isPurgedBy(purged("pricing", "unknown kind"))).toBe(true);
    expect(tags).toContain(wholeFeedTag("pricing"));
  });

  test("a response that no purge would follow may be stored for a minute only", async () => {
    await vouchedFor("/items");
    for (const path of ["/offers/full/reviews", "/free-games", "/search/changelog?query=full"]) {
      const { headers } = await stack().ask(path);
      expect([path, headers["cache-control"]]).toEqual([path, forBrowsers]);
    }
    stack().services.feeds.pricing.interrupt();
    await vi.waitUntil(async () => {
      const { headers } = await stack().ask("/offers/full/price");
      return headers["cache-control"] === forBrowsers && headers["xkey"] !== undefined;
    });
  });

  test("a private response and an error have no tags", async () => {
    await vouchedFor("/offers/full/price");
    const headers = { cookie: "CATALOG_COUNTRY=DE" };
    const own = await stack().ask("/offers/full/price", { headers });
    expect(own.headers["cache-control"]).toBe("private, max-age=60");
    const unknown = await stack().ask("/offers/unknown");
    expect(unknown.headers["cache-control"]).toBe("no-store");
    for (const response of [own, unknown]) expect(response.headers).not.toHaveProperty("xkey");
  });
});

describe("the header field of tags", () => {
  test.each(cdnTagHeaders)(
    "%s has at most 8 KiB; longer lists become a tag that every write purges",
    (header) => {
      const many = Array.from({ length: 2000 }, (_, index) => `offer:${index}`);
      const [, few] = tagField(header, [["catalog", ["*", "offer:1"]]]);
      const [, coarse] = tagField(header, [["catalog", ["*", ...many]]]);
      expect(few).toMatch(header === "cache-tag" ? /^[\w-]{8},[\w-]{8}$/ : /^[\w-]{8} [\w-]{8}$/);
      expect(coarse.length).toBeLessThan(100);
      const entry = create(FeedEntrySchema, { kind: "tag", key: ["any"] });
      expect(purgedTags("catalog", entry).some((tag) => coarse.includes(tag))).toBe(true);
    },
  );
});
