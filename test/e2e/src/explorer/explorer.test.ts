import {
  describeUnlessMissing,
  launchBrowser,
  missingBrowser,
  startStack,
} from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { describeFreeGames } from "./describe-free-games.ts";
import { describeLowest } from "./describe-lowest.ts";
import { describeOffer } from "./describe-offer.ts";
import { describeSearch } from "./describe-search.ts";
import { findFaults } from "./find-faults.ts";
import { importLines, knownOffer, observeKnownOffer, observeNewTitle } from "./known-records.ts";
import { isSeen, openPage } from "./open-page.ts";
import type { Open, OpenPage } from "./open-page.ts";

describeUnlessMissing("the explorer", missingBrowser(), () => {
  let stack: TestStack;
  let browser: Browser;
  let opened: OpenPage[] = [];

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startStack({ parameters: ["--offers", "150"] }),
      launchBrowser(),
    ]);
    const imported = await stack.cli(["import", "-"], { stdin: importLines(observeKnownOffer()) });
    if (imported.status !== 0) throw new Error(imported.stderr);
    await untilFound(stack, knownOffer.title);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });
  afterEach(async () => {
    const complaints = opened.flatMap((page) => page.complaints);
    await Promise.all(opened.map((page) => page.close()));
    opened = [];
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
  });

  const open: Open = async (path, options) => {
    const page = await openPage(browser, `${stack.gatewayUrl}${path}`, options);
    opened.push(page);
    return page.page;
  };

  it("is where a browser is redirected from /", async () => {
    const page = await open("/");
    expect(new URL(page.url()).pathname).toBe("/explorer/");
    await page.getByRole("article").first().waitFor();
    process.stderr.write(`first content painted after ${await untilPainted(page)} ms\n`);
  });

  it("paints before any call gets a response", async () => {
    const page = await open("/explorer/");
    const painted = Promise.withResolvers<void>();
    await page.route("**/trpc/**", async (route) => {
      await painted.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    await untilPainted(page);
    expect(await page.getByRole("article").count()).toBe(0);
    painted.resolve();
    await page.getByRole("article").first().waitFor();
  });

  describeSearch(open);
  describeLowest(open);
  describeOffer(open);
  describeFreeGames(open);

  it("finds offers for a question in natural language", async () => {
    const page = await open("/explorer/ask");
    await page
      .getByRole("textbox", { name: "Say it in your own words" })
      .fill("a lighthouse in winter storms, keep the lamp burning");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForURL(/\/ask\?q=/);
    const titles = page.locator(".match__title");
    await titles.first().waitFor();
    expect((await titles.allInnerTexts()).join("\n")).toContain(knownOffer.title);
  });

  it("shows a change as soon as it is stored, without a reload", async () => {
    const page = await open("/explorer/changes");
    await page.getByText("Live", { exact: true }).waitFor();
    const title = "Harbour Lights, Relit";
    const imported = await stack.cli(["import", "-"], {
      stdin: importLines([observeNewTitle(title)]),
    });
    expect(imported.status).toBe(0);
    const entry = page.getByRole("listitem").filter({ hasText: title }).first();
    await entry.getByText(knownOffer.title).waitFor();
    await entry.getByText("Title", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    expect(await isSeen(page.getByText("Paused", { exact: true }))).toBe(true);
    await stack.cli(["import", "-"], { stdin: importLines([observeNewTitle(knownOffer.title)]) });
    await page.getByRole("button", { name: "Resume" }).click();
    // Changes written meanwhile are above the earlier ones.
    const newest = page.locator(".entry").first();
    await newest.locator("ins").filter({ hasText: knownOffer.title }).waitFor();
    await page.getByRole("button", { name: "Build" }).click();
    await page.waitForURL(/type=build/);
    await expect.poll(() => page.locator(".entry__type").allInnerTexts()).not.toContain("Offer");
  });

  it("syncs the search field of the changes with the address, and preserves its focus", async () => {
    const page = await open("/explorer/changes");
    const words = page.getByRole("searchbox", { name: "Find changes by words" });
    await words.fill("title");
    await words.press("Enter");
    await page.waitForURL(/[?&]q=title/);
    await page.goBack();
    await expect.poll(() => words.inputValue()).toBe("");
    await page.goForward();
    await expect.poll(() => words.inputValue()).toBe("title");
    await words.fill("");
    await page.waitForURL(/\/changes$/);
    expect(await words.evaluate((input) => input.matches(":focus"))).toBe(true);
  });

  it("reports the status of every part of the system", async () => {
    const page = await open("/explorer/");
    await page.getByRole("button", { name: "All systems are up" }).click();
    const parts = page.getByRole("dialog").getByRole("listitem");
    await expect.poll(() => parts.count()).toBe(7);
  });

  it("applies a chosen theme from the first paint", async () => {
    const page = await open("/explorer/");
    const background = () => backgroundOf(page);
    const light = await background();
    await page.getByRole("button", { name: "Use the dark theme" }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload({ waitUntil: "commit" });
    await untilPainted(page);
    expect(await background()).toBe(dark);
    const other = await open("/explorer/", { colorScheme: "dark" });
    expect(await backgroundOf(other)).toBe(dark);
  });

  it("can be used by keyboard alone", async () => {
    const page = await open("/explorer/");
    // The filters load with the offers; the discounts above them have a call of their own.
    await page.locator(".search__list .card").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#main:focus").waitFor();
    const focused = () =>
      page.evaluate<string>(
        "(document.activeElement.closest('label') ?? document.activeElement).textContent",
      );
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("On sale");
    await page.keyboard.press("Space");
    // The address changes before the page does.
    await page.getByRole("button", { name: /^On sale: remove/ }).waitFor();
    await page.locator('.search__list[aria-busy="false"]').waitFor();
    const title = await page.locator(".card__link").first().innerText();
    for (let presses = 0; presses < 80 && (await focused()) !== title; presses += 1) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    // A screen reader continues at the new content, not at the old position.
    await page.locator("#main:focus").waitFor();
  });

  it.each([
    ["the search", "/explorer/?q=a", ".card"],
    ["nothing found", "/explorer/?q=zzqxzz", ".state"],
    ["an offer", `/explorer/offers/${knownOffer.id}`, ".review"],
    ["the giveaways", "/explorer/free-games", ".times"],
    ["the changes", "/explorer/changes", ".entry"],
    ["the question", "/explorer/ask?q=storms", ".match"],
  ])("%s: has no serious accessibility issue, and fits 360 pixels", async (_, path, content) => {
    const page = await open(path);
    await page.locator(content).first().waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await findFaults(page)).toEqual([]);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  it("has its filters in a drawer on a small screen", async () => {
    const page = await open("/explorer/", { viewport: { width: 360, height: 740 } });
    await page.getByRole("button", { name: "Filters" }).click();
    const drawer = page.getByRole("dialog", { name: "Filters" });
    const isOnSale = drawer.getByRole("switch", { name: "On sale" });
    await isOnSale.click();
    await expect.poll(() => isOnSale.isChecked()).toBe(true);
    await page.locator('.search__list[aria-busy="false"]').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await drawer.getByRole("button", { name: /^Show \d+/ }).click();
    await page.getByRole("button", { name: "Filters (1)" }).waitFor();
  });
});

/** The background colour of the page. */
async function backgroundOf(page: Page): Promise<string> {
  return await page.evaluate("getComputedStyle(document.body).backgroundColor");
}

/** Waits for the first contentful paint, and returns its time after the navigation, in milliseconds. */
async function untilPainted(page: Page): Promise<number> {
  const startTime = await page.waitForFunction(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  );
  return Math.round((await startTime.jsonValue()) ?? Number.NaN);
}

/** Waits for an imported offer: the index follows the log a moment later. */
async function untilFound({ gatewayUrl }: TestStack, title: string): Promise<void> {
  const filters = { title, onSale: true, lowestPriceOf: "ever", technologies: ["Keelwright"] };
  const body = JSON.stringify(filters);
  await vi.waitFor(
    async () => {
      const response = await fetch(`${gatewayUrl}/search/v2/search?country=GB`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const { total } = (await response.json()) as { total?: number };
      if (total !== 1) throw new Error(`found ${total}`);
    },
    { timeout: 30_000, interval: 100 },
  );
}
