import { describeUnlessMissing, launchBrowser, missingBrowser } from "@storefront/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import openApiDocument from "../openapi.json" with { type: "json" };
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const startPath = async () => {
  const { text } = await stack().ask("/docs");
  return /src="(\/docs\/[\w-]+\/start\.js)"/.exec(text)?.[1] ?? "";
};

test("the page is HTML that may load nothing from elsewhere and links to the document", async () => {
  const { status, headers, text } = await stack().ask("/docs");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["cache-control"]).toBe("no-cache");
  const policy = headers["content-security-policy"];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toMatch(/https?:|unsafe-eval|\*/);
  expect(text).toContain('href="/openapi.json"');
  expect(text).not.toMatch(/https?:\/\//);
  expect(JSON.stringify(openApiDocument.info)).toContain("/docs");
});

test("its scripts are immutable, compressed, and validated by their tag", async () => {
  const path = await startPath();
  const entry = path.replace("start.js", "standalone.esm.js");
  for (const scriptPath of [path, entry]) {
    const { status, headers } = await stack().ask(scriptPath);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const again = await stack().ask(scriptPath, {
      headers: { "if-none-match": headers["etag"] ?? "" },
    });
    expect(again.status).toBe(304);
  }
  const plain = await stack().ask(entry);
  for (const coding of ["br", "gzip"]) {
    const coded = await stack().ask(entry, { headers: { "accept-encoding": coding } });
    expect(coded.headers["content-encoding"]).toBe(coding);
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(coded.text).toBe(plain.text);
  }
});

test("llms.txt lists every operation, and links to the rest", async () => {
  const { status, headers, text } = await stack().ask("/llms.txt");
  expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(text).toMatch(/^# Storefront catalogue\n\n> Offers, /);
  const operations = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `\n- \`${method.toUpperCase()} ${path}`),
  );
  for (const operation of operations) expect(text).toContain(operation);
  for (const [, path = ""] of text.matchAll(/\]\((\/[^)]*)\)/g)) {
    expect((await stack().ask(path)).status).not.toBe(404);
  }
});

test("a trailing slash redirects to the page", async () => {
  for (const path of ["/docs", "/docs/guides", "/llms.txt"]) {
    const { status, headers } = await stack().ask(`${path}/`);
    expect([status, headers["location"]]).toEqual([308, path]);
  }
  expect((await stack().ask("/docs/nothing/")).status).toBe(404);
});

test("only the reference's own files are served", async () => {
  const scripts = (await startPath()).replace("start.js", "");
  const paths = [
    "/docs/unknown",
    "/docs/standalone.esm.js",
    `${scripts}package.json`,
    `${scripts}..%2Fstyle.css`,
    `${scripts}chunks/..%2F..%2Findex.js`,
    scripts,
  ];
  const responses = await Promise.all(paths.map((path) => stack().ask(path)));
  expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 404));
});

describeUnlessMissing("in a browser", missingBrowser(), () => {
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on("request", (request) => requested.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    await page.goto(`${stack().url}/docs`);
  });

  afterAll(() => browser?.close());

  it("shows the operations without errors and without requests to other hosts", async () => {
    await page.getByText("Storefront catalogue").first().waitFor();
    await page
      .getByRole("button", { name: /Offers/i })
      .first()
      .click();
    await page.getByText("/offers/{id}/price-history").first().waitFor();
    await page.waitForLoadState("networkidle");
    expect(problems).toEqual([]);
    const hosts = requested
      .filter((url) => !/^(data|blob):/.test(url))
      .map((url) => new URL(url).origin);
    expect(new Set(hosts)).toEqual(new Set([stack().url]));
    expect(requested).toContain(`${stack().url}/openapi.json`);
  });
});
