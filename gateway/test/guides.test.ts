import { describeUnlessMissing, launchBrowser, missingBrowser } from "@storefront/testkit";
import { readdirSync, readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

const files = readdirSync(new URL("../../docs/api/", import.meta.url));
const paths = files.map((file) =>
  file === "README.md" ? "/docs/guides" : `/docs/guides/${file.replace(".md", "")}`,
);

test("each file of docs/api is a page", async () => {
  const pages = await Promise.all(paths.map((path) => stack().ask(path)));
  for (const { status, headers, text } of pages) {
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(text).toMatch(/<main><h1 id="[\w-]+">/);
    for (const path of paths) expect(text).toContain(`<li><a href="${path}"`);
  }
});

test("links between pages lead to existing pages and headings", async () => {
  const pages = await Promise.all(paths.map((path) => stack().ask(path)));
  const texts = new Map(paths.map((path, index) => [path, pages[index]?.text ?? ""]));
  const broken = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/href="([^"#]*)#([^"]+)"/g)].filter(([, to, anchor]) => {
      const page = to === "" ? text : texts.get(to ?? "");
      return page !== undefined && !page.includes(`id="${anchor}"`);
    }),
  );
  expect(broken).toEqual([]);
  for (const text of texts.values()) expect(text).not.toMatch(/href="[^"]*\.md/);
});

test("the colours are the explorer's", async () => {
  const tokens = readFileSync(
    new URL("../../packages/explorer/src/styles/tokens.css", import.meta.url),
    "utf8",
  );
  const { text } = await stack().ask("/docs/guides/guides.css");
  const used = text.match(/^ {2}--.*;$/gm) ?? [];
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((line) => !tokens.includes(line))).toEqual([]);
});

test("only the guides are served", async () => {
  const unknown = ["/docs/guides/unknown", "/docs/guides/README", "/docs/guides/grpc.md"];
  const responses = await Promise.all(unknown.map((path) => stack().ask(path)));
  expect(responses.map(({ status }) => status)).toEqual(unknown.map(() => 404));
});

describeUnlessMissing("in a browser", missingBrowser(), () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 375, height: 800 } });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => problems.push(message.text()));
  });

  afterAll(() => browser?.close());

  it("finds a section by its words, and opens it", async () => {
    await page.goto(`${stack().url}/docs/guides`);
    await page.getByRole("searchbox").fill("values facet");
    await page.getByRole("link", { name: "Values of a facet" }).click();
    await page.waitForURL("**/docs/guides/search#values-of-a-facet");
    await page.getByRole("heading", { name: "Values of a facet" }).waitFor();
    expect(problems).toEqual([]);
  });

  it.each(paths)("%s fits a phone", async (path) => {
    await page.goto(`${stack().url}${path}`);
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width).toBe(375);
  });
});
