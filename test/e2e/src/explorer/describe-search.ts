import { describe, expect, it } from "vitest";
import { findFaults } from "./find-faults.ts";
import { knownOffer } from "./known-records.ts";
import { isSeen } from "./open-page.ts";
import type { Open } from "./open-page.ts";

/** Tests of the search page. */
export function describeSearch(open: Open): void {
  describe("the search", () => {
    it("filters and sorts, with all state in the address", async () => {
      const page = await open("/explorer/");
      await page.getByRole("article").first().waitFor();
      // Not `check`, which expects it to be on at once: it follows the address a moment later.
      await page.getByRole("switch", { name: "On sale" }).click();
      await page.getByRole("button", { name: /^On sale: remove/ }).waitFor();
      await page.getByLabel("Sort").selectOption({ label: "Price: low to high" });
      await page.waitForURL(/sort=priceAsc/);
      // Games are shown by default.
      await page.getByRole("button", { name: /^Game: remove/ }).waitFor();
      const url = new URL(page.url());
      expect(Object.fromEntries(url.searchParams)).toEqual({
        sale: "1",
        sort: "priceAsc",
      });
      await page.locator('.search__list[aria-busy="false"]').waitFor();
      const texts = await page.locator(".grid .price").allInnerTexts();
      expect(texts.length).toBeGreaterThan(2);
      const amounts = texts.map((text) => Number(/\$([\d.]+)\s*$/.exec(text)?.[1] ?? 0));
      expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
      const titles = await page.locator(".card__title").allInnerTexts();

      // Another user opens the shared address.
      const other = await open(`${url.pathname}${url.search}`);
      await other.getByRole("button", { name: /^Game: remove/ }).waitFor();
      await expect.poll(() => other.locator(".card__title").allInnerTexts()).toEqual(titles);
    });

    it("stays on an offer that was opened before the list followed the typed text", async () => {
      const page = await open(`/explorer/?developer=${encodeURIComponent(knownOffer.developer)}`);
      const link = page.getByRole("link", { name: knownOffer.title, exact: true });
      await link.waitFor();
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.getByRole("combobox", { name: /^Search offers/ }).fill("Harbour");
      await link.click();
      await page.locator(".hero").waitFor();
      await page.clock.runFor(1000);
      await page.clock.resume();
      await page.getByRole("heading", { level: 1, name: knownOffer.title }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/explorer/offers/${knownOffer.id}`);
    });

    it("counts the results of every other filter live", async () => {
      const page = await open(`/explorer/?developer=${encodeURIComponent(knownOffer.developer)}`);
      const tag = page.getByRole("checkbox", { name: /^Lighthouses/ });
      await tag.waitFor();
      await expect.poll(() => page.getByRole("status").first().innerText()).toBe("1 offer");
      const technology = page.getByRole("checkbox", { name: "Keelwright 1" });
      await expect.poll(() => technology.count()).toBe(1);
      // The other developers can still be chosen.
      const developers = page.getByRole("group", { name: "Developer" }).getByRole("checkbox");
      await expect.poll(() => developers.count()).toBeGreaterThan(3);
    });

    it("allows several values of a filter, and searches once for each choice", async () => {
      const page = await open("/explorer/?all=1");
      const types = page.getByRole("group", { name: "Type" }).getByRole("checkbox");
      // The search has responded then; the featured offers may appear earlier.
      await types.first().waitFor();
      // Each search once: a search whose response lacks prices is retried.
      const asked = new Set<string>();
      page.on("request", (request) => {
        if (request.url().includes("search.searchOffers")) asked.add(request.url());
      });
      const listed = page.locator('.search__list[aria-busy="false"]');
      const choices = await types.count();
      await types.nth(0).click();
      await page
        .getByRole("button", { name: /: remove/ })
        .first()
        .waitFor();
      await listed.waitFor();
      expect(asked.size).toBe(1);
      expect(await types.count()).toBe(choices);
      await types.nth(1).click();
      await expect.poll(() => page.getByRole("button", { name: /: remove/ }).count()).toBe(2);
      await listed.waitFor();
      expect(asked.size).toBe(2);
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText(/^Page 2 of \d+$/).waitFor();
      await listed.waitFor();
      expect(asked.size).toBe(3);
    });

    it("finds values of a long filter by the typed text, with one request", async () => {
      const page = await open("/explorer/");
      const group = page.getByRole("group", { name: "Developer" });
      const developers = group.getByRole("checkbox");
      await developers.first().waitFor();
      const known = page.getByRole("checkbox", { name: `${knownOffer.developer} 1`, exact: true });
      expect(await known.count()).toBe(0);
      const asked: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("search.searchOffers")) asked.push(request.url());
      });
      await group.getByRole("searchbox").fill(knownOffer.developer.toUpperCase());
      await known.waitFor();
      expect(await developers.count()).toBe(1);
      expect(asked).toHaveLength(1);
      await known.check();
      await page.getByRole("button", { name: `${knownOffer.developer}: remove` }).waitFor();
      await expect.poll(() => page.getByRole("status").first().innerText()).toBe("1 offer");
      await group.getByRole("searchbox").fill("zzqx");
      await group.getByText("No value has this name.").waitFor();
    });

    it("counts the values of a filter only over offers that the sort order includes", async () => {
      const page = await open("/explorer/?sort=giveawayDate&type=BASE_GAME");
      const status = page.getByRole("status").first();
      await page.getByRole("article").first().waitFor();
      const [found] = /^\d+/.exec(await status.innerText()) ?? [];
      const games = page.getByRole("checkbox", { name: `Game ${found}`, exact: true });
      expect(await isSeen(games)).toBe(true);
    });

    it("takes price bounds from the keyboard", async () => {
      const page = await open("/explorer/");
      const least = page.getByRole("slider", { name: "Lowest price" });
      await least.focus();
      await least.press("PageUp");
      await page.waitForURL(/[?&]min=\d+/);
      expect(await isSeen(page.getByRole("button", { name: /^From \$\d+: remove/ }))).toBe(true);
      // The thumb still has the focus.
      await page.keyboard.press("PageUp");
      await expect
        .poll(() => page.getByRole("button", { name: /^From/ }).innerText())
        .toMatch(/^From \$[2-9]\d$/);
    });

    it("searches while the user types, and says when nothing is found", async () => {
      const page = await open("/explorer/");
      await page.getByRole("article").first().waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("harbour lights");
      await page.getByRole("heading", { name: "Results for “harbour lights”" }).waitFor();
      await page.getByRole("link", { name: knownOffer.title, exact: true }).waitFor();
      await page.getByRole("combobox", { name: /^Search offers/ }).fill("zzqx nothing like it");
      await page.getByRole("heading", { name: "No matching offers" }).waitFor();
      await page.getByRole("button", { name: "Start again" }).click();
      await page.getByRole("heading", { name: "Games" }).waitFor();
      expect(await isSeen(page.getByRole("article").first())).toBe(true);
    });

    it("has readable text while the next results load", async () => {
      const page = await open("/explorer/");
      await page.getByRole("article").first().waitFor();
      const checked = Promise.withResolvers<void>();
      await page.route(/search\.searchOffers/, async (route) => {
        await checked.promise;
        await route.continue();
      });
      await page.getByRole("switch", { name: "On sale" }).click();
      await page.locator('.search__list[aria-busy="true"]').waitFor();
      await page.emulateMedia({ reducedMotion: "reduce" });
      expect(await findFaults(page)).toEqual([]);
      checked.resolve();
      await page.locator('.search__list[aria-busy="false"]').waitFor();
    });

    it("suggests titles, makers and corrections, by keyboard and by pointer", async () => {
      const page = await open("/explorer/", { viewport: { width: 375, height: 740 } });
      const box = page.getByRole("combobox", { name: /^Search offers/ });
      const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
      await box.pressSequentially("harbuor");
      const correction = options.filter({ hasText: /^Did you mean Harbour/ });
      await correction.waitFor();
      expect(await box.getAttribute("aria-expanded")).toBe("true");
      await box.press("ArrowDown");
      for (const colorScheme of ["light", "dark"] as const) {
        for (const width of [375, 1440]) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await page.setViewportSize({ width, height: 740 });
          expect(await findFaults(page)).toEqual([]);
        }
      }
      await expect.poll(() => correction.getAttribute("aria-selected")).toBe("true");
      await box.press("Enter");
      await page.getByRole("heading", { name: "Results for “Harbour”" }).waitFor();
      await expect.poll(() => options.count()).toBe(0);

      await box.fill(knownOffer.title.slice(0, -4));
      await options.first().waitFor();
      await box.press("Escape");
      expect(await options.count()).toBe(0);
      expect(await box.inputValue()).toBe(knownOffer.title.slice(0, -4));

      await box.fill(knownOffer.title.slice(0, -3));
      await options.filter({ hasText: new RegExp(`^${knownOffer.title}$`) }).click();
      await page.getByRole("heading", { level: 1, name: knownOffer.title }).waitFor();
      expect(await options.count()).toBe(0);
    });

    it("searches for a suggested tag, and scrolls to the option that the keys select", async () => {
      const page = await open("/explorer/changes", { viewport: { width: 740, height: 320 } });
      const box = page.getByRole("combobox", { name: /^Search offers/ });
      await box.fill("acti");
      const tag = page.getByRole("option", { name: "Tag Action", exact: true });
      await tag.waitFor();
      await expect
        .poll(async () => {
          await box.press("ArrowUp");
          return await tag.getAttribute("aria-selected");
        })
        .toBe("true");
      expect(
        await tag.evaluate((option) => {
          const { top, bottom } = option.getBoundingClientRect();
          const list = option.parentElement?.getBoundingClientRect();
          return list !== undefined && top >= list.top && bottom <= list.bottom;
        }),
      ).toBe(true);
      await box.press("Enter");
      await page.getByRole("heading", { name: "Results for “Action”" }).waitFor();
      await page.locator(".search__list .card").first().waitFor();
    });

    it("shows the suggestions for the latest text, and selects none of new ones", async () => {
      const page = await open("/explorer/changes");
      const box = page.getByRole("combobox", { name: /^Search offers/ });
      const option = page.getByRole("option", { name: knownOffer.title, exact: true });
      const lateTexts = ["zzqx", "harbour lights"];
      const released = lateTexts.map(() => Promise.withResolvers<void>());
      await page.route(/search\.suggest/, async (route) => {
        const input = new URL(route.request().url()).searchParams.get("input") ?? "";
        await released[lateTexts.findIndex((text) => input.includes(text))]?.promise;
        await route.continue();
      });
      const requestFor = (text: string) =>
        page.waitForRequest((request) => request.url().includes(encodeURIComponent(text)));

      const first = requestFor("zzqx");
      await box.fill("zzqx");
      await first;
      await box.fill("harbour");
      await option.waitFor();
      released[0]?.resolve();
      await (await first).response();
      expect(await isSeen(option)).toBe(true);

      const second = requestFor("harbour lights");
      await box.fill("harbour lights");
      await second;
      await box.press("ArrowDown");
      await expect.poll(() => option.getAttribute("aria-selected")).toBe("true");
      released[1]?.resolve();
      await expect.poll(() => box.getAttribute("aria-activedescendant")).toBe(null);
      expect(await option.getAttribute("aria-selected")).toBe("false");
    });

    it("shows games by default, other types on request, and suggests which filter to remove", async () => {
      const page = await open("/explorer/");
      await page.getByRole("button", { name: /^Game: remove/ }).click();
      await page.waitForURL(/\?all=1$/);
      await page.getByRole("heading", { name: "All offers" }).waitFor();
      await page.goto(`${page.url()}&tag=explorer-unknown`);
      await page.getByRole("button", { name: "Without “explorer-unknown”" }).click();
      await page.waitForURL(/\?all=1$/);
      expect(await isSeen(page.getByRole("article").first())).toBe(true);
    });

    it("marks matches in titles and descriptions, including misspelt words", async () => {
      const page = await open("/explorer/?q=harbuor+lights");
      await page.getByRole("link", { name: knownOffer.title, exact: true }).waitFor();
      const marks = page.locator(".card__title mark");
      await expect.poll(() => marks.allInnerTexts()).toContain("Harbour");
      const box = page.getByRole("combobox", { name: /^Search offers/ });
      await box.fill("burning lamp");
      const snippet = page.locator(".card__snippet", { hasText: "Keep the lamp burning." }).first();
      await expect.poll(() => snippet.locator("mark").allInnerTexts()).toEqual(["lamp", "burning"]);
      await box.fill("");
      await page.getByRole("heading", { name: "Games" }).waitFor();
      await expect.poll(() => marks.count()).toBe(0);
    });

    it("goes to the next page and back", async () => {
      const page = await open("/explorer/");
      const first = await page.locator(".card__title").first().innerText();
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText(/^Page 2 of \d+$/).waitFor();
      await expect.poll(() => page.locator(".card__title").first().innerText()).not.toBe(first);
      await page.goBack();
      expect(await isSeen(page.getByText(/^Page 1 of \d+$/))).toBe(true);
      await expect.poll(() => page.locator(".card__title").first().innerText()).toBe(first);
    });
  });
}
