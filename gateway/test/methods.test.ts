import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { askRaw } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const pagesDirectory = mkdtempSync(join(tmpdir(), "storefront-pages-"));
writeFileSync(join(pagesDirectory, "index.html"), "<!doctype html>");
afterAll(() => rmSync(pagesDirectory, { recursive: true }));

const stack = useStack({ pagesDirectory });
const withoutPages = useStack();

const read = "GET, HEAD, OPTIONS";
const posted = "POST, OPTIONS";

const paths: [path: string, allow: string][] = [
  ["/offers/full", read],
  ["/offers/slugs", posted],
  ["/changelist/stream", read],
  ["/snapshot", read],
  ["/free-games/feed.ics", read],
  ["/openapi.json", read],
  ["/readyz", read],
  ["/mcp", posted],
  ["/docs", read],
  ["/llms.txt", read],
  ["/", read],
  ["/explorer/offers/full", read],
  ["/trpc/catalog.getOffer", "GET, HEAD, POST, OPTIONS"],
  ["/trpc/catalog.getOffer,nope", "GET, HEAD, POST, OPTIONS"],
  ["/trpc/search.saveQuery", posted],
];

test.for(paths)("OPTIONS %s names the allowed methods: %s", async ([path, allow]) => {
  const options = await stack().ask(path, { method: "OPTIONS" });
  expect(options.status).toBe(204);
  expect(options.headers.allow).toBe(allow);
  expect(options.headers["access-control-allow-methods"]).toBe(allow);
  for (const method of ["GET", "POST", "DELETE"].filter((one) => !allow.includes(one))) {
    const { status, headers } = await stack().ask(path, { method });
    expect({ method, status, allow: headers.allow }).toEqual({ method, status: 405, allow });
  }
});

test.for(["/nowhere", "/mcp/more", "/docs/nope.js", "/explorer/assets/nope.js", "/trpc/nope"])(
  "OPTIONS %s, an unknown path, is 404",
  async (path) => {
    const { status, headers, json } = await stack().ask(path, { method: "OPTIONS" });
    expect([status, headers.allow]).toEqual([404, undefined]);
    expect(json).toHaveProperty("error", "NOT_FOUND");
  },
);

test("OPTIONS of pages is 404 where there are none", async () => {
  expect((await withoutPages().ask("/explorer/", { method: "OPTIONS" })).status).toBe(404);
});

test("OPTIONS * names the methods of all paths", async () => {
  const bytes = "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const response = await askRaw(stack().url, bytes);
  expect(response).toMatch(/^HTTP\/1.1 204 /);
  expect(response).toMatch(/^allow: GET, HEAD, POST, OPTIONS\r$/im);
});
