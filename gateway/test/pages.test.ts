import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { useStack } from "./support/start-stack.ts";

const root = mkdtempSync(join(tmpdir(), "storefront-pages-"));
// A directory that is named `assets` itself, by a path relative to the working directory.
const directory = join(root, "assets");
const pagesDirectory = `./${relative(process.cwd(), directory)}`;
const page = `<!doctype html><title>Explorer</title>${"<p>text</p>".repeat(200)}`;
const script = `export const text = "${"word ".repeat(500)}";`;
mkdirSync(join(directory, "assets"), { recursive: true });
writeFileSync(join(directory, "index.html"), page);
writeFileSync(join(directory, "theme.js"), "1;");
writeFileSync(join(directory, "assets", "index-1a2b3c.js"), script);
// With other content, so that the test sees which one was sent.
writeFileSync(join(directory, "assets", "index-1a2b3c.js.br"), brotliCompressSync("ready"));
writeFileSync(join(directory, "secret.env"), "PASSWORD=1");
afterAll(() => rmSync(root, { recursive: true }));

const stack = useStack({ pagesDirectory });
const bare = useStack();
const listing = useStack({ pagesDirectory, corsOrigins: ["https://shop.example"] });

test("an address inside the pages gets the page, which must be revalidated", async () => {
  for (const path of ["/explorer/", "/explorer/offers/o1?country=DE", "/explorer/a.b/c%2Fd"]) {
    const response = await stack().ask(path);
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["cache-control"]).toBe("no-cache");
    expect(response.text).toBe(page);
    const again = await stack().ask(path, {
      headers: { "if-none-match": response.headers.etag ?? "" },
    });
    expect(again.status).toBe(304);
    expect(again.bytes).toHaveLength(0);
  }
});

test("a file whose name changes with its content is immutable", async () => {
  const response = await stack().ask("/explorer/assets/index-1a2b3c.js");
  expect(response.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(response.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(response.text).toBe(script);
  expect((await stack().ask("/explorer/theme.js")).headers["cache-control"]).toBe("no-cache");
});

test("a precompressed file is sent as it is, and others are compressed", async () => {
  const sent = async (path: string, coding: string) => {
    const response = await stack().ask(path, { headers: { "accept-encoding": coding } });
    expect(response.headers["content-encoding"]).toBe(coding);
    expect(response.headers.vary).toContain("Accept-Encoding");
    return response.bytes;
  };
  const ready = brotliDecompressSync(await sent("/explorer/assets/index-1a2b3c.js", "br"));
  expect(ready.toString()).toBe("ready");
  const unpacked = gunzipSync(await sent("/explorer/assets/index-1a2b3c.js", "gzip"));
  expect(unpacked.toString()).toBe(script);
  expect(brotliDecompressSync(await sent("/explorer/", "br")).toString()).toBe(page);
});

test("pages may run only scripts of their own origin, and may not be framed", async () => {
  const { headers } = await stack().ask("/explorer/");
  const policy = new Map(
    String(headers["content-security-policy"])
      .split("; ")
      .map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]),
  );
  expect(policy.get("default-src")).toBe("'none'");
  expect(policy.get("script-src")).toBe("'self'");
  expect(policy.get("style-src")).toBe("'self'");
  expect(policy.get("connect-src")).toBe("'self'");
  expect(policy.get("frame-ancestors")).toBe("'none'");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test("a path without a file is unknown, or an address inside the pages", async () => {
  for (const path of [
    "/explorer/assets/gone-1.js",
    "/explorer/assets/../secret.env",
    "/explorers",
  ]) {
    const response = await stack().ask(path);
    expect(response.status).toBe(404);
    expect(response.json).toMatchObject({ error: "NOT_FOUND" });
  }
  for (const path of ["/explorer/secret.env", "/explorer/..%2f..%2fetc%2fpasswd"]) {
    expect((await stack().ask(path)).text).toBe(page);
  }
});

test("/ redirects browsers to the pages, and lists the addresses for programs", async () => {
  const browser = await stack().ask("/", { headers: { accept: "text/html,*/*;q=0.8" } });
  expect(browser.status).toBe(302);
  expect(browser.headers.location).toBe("/explorer/");
  expect(browser.headers.vary).toContain("Accept");
  for (const headers of [{}, { accept: "application/json" }, { accept: "*/*" }]) {
    const { status, json, headers: sent } = await stack().ask("/", { headers });
    expect(status).toBe(200);
    expect(String(sent.vary)).toContain("Accept");
    const { name, version, ...addresses } = Object(json) as Record<string, string>;
    expect([name, version]).toEqual([expect.any(String), expect.stringMatching(/^\d/)]);
    const { mcp, trpc, ...readable } = addresses;
    expect([mcp, trpc]).toEqual(["/mcp", "/trpc"]);
    for (const path of Object.values(readable)) expect((await stack().ask(path)).status).toBe(200);
  }
  const short = await stack().ask("/explorer?q=a");
  expect(short.status).toBe(308);
  expect(short.headers.location).toBe("/explorer/?q=a");
});

test("pages support HEAD", async () => {
  const head = await stack().ask("/explorer/", { method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.bytes).toHaveLength(0);
  expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(page)));
});

test("a picture is drawn from its name, in the size that the name says", async () => {
  for (const [path, size] of [
    ["/art/o-1.svg", 'width="300" height="400"'],
    ["/art/0a1b-2560x1440.svg", 'width="2560" height="1440"'],
  ] as const) {
    const picture = await bare().ask(path);
    expect(picture.headers["content-type"]).toBe("image/svg+xml");
    expect(picture.headers["cache-control"]).toBe("public, max-age=86400");
    expect(picture.text).toContain(size);
    expect((await bare().ask(path)).text).toBe(picture.text);
  }
  const missing = ["/art/", "/art/a.png", "/art/a/b.svg", `/art/${"a".repeat(65)}.svg`];
  for (const path of missing) expect((await bare().ask(path)).status).toBe(404);
});

test("a gateway without pages serves none", async () => {
  const headers = { accept: "text/html" };
  expect((await bare().ask("/explorer/", { headers })).status).toBe(404);
  expect((await bare().ask("/", { headers })).json).toMatchObject({ docs: "/docs" });
});

test("responses that a listed origin may read vary by the origin", async () => {
  const headers = { origin: "https://shop.example" };
  for (const path of ["/explorer/", "/explorer/assets/index-1a2b3c.js", "/docs", "/nowhere"]) {
    const response = await listing().ask(path, { headers });
    expect(response.headers["access-control-allow-origin"]).toBe("https://shop.example");
    expect([path, response.headers.vary]).toEqual([path, expect.stringContaining("Origin")]);
  }
});
