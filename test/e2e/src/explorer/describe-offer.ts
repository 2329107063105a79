import { describe, expect, it } from "vitest";
import { knownOffer } from "./known-records.ts";
import { isSeen } from "./open-page.ts";
import type { Open } from "./open-page.ts";

/** Tests of the offer page. */
export function describeOffer(open: Open): void {
  describe("an offer", () => {
    const path = `/explorer/offers/${knownOffer.id}`;

    it("shows its price, its history, all regions, builds, reviews and changes", async () => {
      const page = await open(path);
      await page.getByRole("heading", { level: 1, name: knownOffer.title }).waitFor();
      await expect.poll(() => page.title()).toContain(knownOffer.title);
      const panel = page.getByRole("complementary", { name: "Price" });
      await panel.getByText("$9.99").waitFor();
      await panel.getByText("−50%").waitFor();

      const chart = page.getByRole("img", {
        name: /^Price since .* 3 steps\. Now \$9\.99\. Lowest \$4\.99/,
      });
      await chart.waitFor();
      await page.getByText("As a table (3 prices)").click();
      expect(await page.getByRole("row").filter({ hasText: "$4.99" }).innerText()).toContain("75%");

      await page.getByRole("button", { name: "All 52 regions" }).click();
      await page.getByRole("row").filter({ hasText: "Euro area" }).getByText("€18.99").waitFor();
      await page.getByRole("row").filter({ hasText: "Japan" }).getByText("Not sold").waitFor();

      await page.getByRole("link", { name: /^Keelwright/ }).waitFor();
      await page.getByRole("row").filter({ hasText: "1.4.2" }).getByText("4.2 GB").waitFor();

      await page.getByRole("heading", { name: "Reviews (7)" }).waitFor();
      await page.getByRole("checkbox", { name: "Verified owners only" }).check();
      await page.getByRole("heading", { name: "Reviews (1)" }).waitFor();
      await page.getByText("Opinion number 1").waitFor();

      await page.getByText("Record added").waitFor();
      await page.getByRole("link", { name: `${knownOffer.title}: Soundtrack` }).waitFor();
    });

    it("shows its lowest prices, the start of their record, and which prices do not count", async () => {
      const page = await open(path);
      const panel = page.getByRole("complementary", { name: "Price" });
      const compared = panel.getByRole("definition");
      // Reduced since, the price before, the lowest of the 30 days before, the lowest ever.
      await expect
        .poll(() => compared.allInnerTexts())
        .toEqual(["Apr 2, 2026", "$4.99", "$4.99", "$4.99"]);

      const history = page.getByRole("region", { name: /^Price history/ });
      await history
        .getByText("On record since Jan 10, 2026. Not counted: prices before the release.")
        .waitFor();
      const lows = history.getByRole("definition");
      expect((await lows.allInnerTexts()).slice(-3)).toEqual([
        "$4.99",
        "first Mar 2, 2026",
        "last Apr 2, 2026",
      ]);
      await page
        .getByRole("img", { name: /Lowest \$4\.99, first Mar 2, 2026, last Apr 2, 2026$/ })
        .waitFor();
      // The mark is at the lowest price.
      await expect
        .poll(async () => {
          // Right of its middle, where the price begins.
          await history.locator(".chart__dot").hover({ position: { x: 8, y: 4 } });
          return await history.locator(".chart__readout strong").innerText();
        })
        .toBe("$4.99");

      await page.getByRole("button", { name: "All 52 regions" }).click();
      const low = page.getByText("Lowest price so far: ");
      await page
        .getByRole("row")
        .filter({ hasText: "United Kingdom" })
        .filter({ has: low })
        .waitFor();
      expect(await page.getByRole("row").filter({ has: low }).count()).toBe(1);
    });

    it("fetches its prices and their lows in three calls", async () => {
      const page = await open(path);
      // Calls of the first load are not counted.
      await page.getByRole("button", { name: "All 52 regions" }).waitFor();
      await page.getByRole("img", { name: /^Price since/ }).waitFor();
      // Each call once: a call whose response lacks a part is retried.
      const asked = new Set<string>();
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith("/trpc/")) asked.add(pathname.slice(6));
      });
      await page.reload();
      await page.getByRole("button", { name: "All 52 regions" }).waitFor();
      await page.getByRole("img", { name: /^Price since .*Lowest/ }).waitFor();
      const forPrices = [...asked].filter((procedure) => /price|overview/i.test(procedure));
      expect(forPrices.toSorted()).toEqual([
        "catalog.getOfferOverview",
        "pricing.listOfferPrices",
        "pricing.listPriceHistory",
      ]);
    });

    it("shows a placeholder for an image that cannot be loaded", async () => {
      const page = await open(path);
      await page.getByRole("img", { name: /which cannot be loaded$/ }).waitFor();
      const drawn = page.locator(".hero .cover img");
      await expect.poll(() => drawn.getAttribute("src")).toMatch(/^\/art\/.*\.svg$/);
      await expect.poll(() => drawn.evaluate((image) => image.naturalHeight)).toBe(400);
    });

    it("shows the price under the pointer", async () => {
      const page = await open(path);
      const chart = page.getByRole("img", { name: /^Price since/ });
      // Content above it may still load and move it.
      await expect
        .poll(async () => {
          await chart.hover({ position: { x: 70, y: 120 } });
          return await page.locator(".chart__readout").innerText();
        })
        .toMatch(/Jan.*\$19\.99/s);
    });

    it("follows the country and the language, and stores them in the address", async () => {
      const page = await open(path);
      await page
        .getByRole("button", { name: /^Country/ })
        .or(page.getByRole("combobox", { name: /^Country/ }))
        .click();
      await page.getByPlaceholder("Find a country").fill("germ");
      await page.getByRole("option", { name: "Germany" }).click();
      const price = page.getByRole("complementary", { name: "Price" }).locator(".price__now");
      await price.getByText("€18.99").waitFor();
      await page.getByLabel(/^Language/).selectOption("de-DE");
      await page.getByRole("heading", { level: 1, name: knownOffer.germanTitle }).waitFor();
      expect(await isSeen(price.getByText("18,99 €"))).toBe(true);
      await page.getByRole("link", { name: "Browse" }).click();
      await page.waitForURL(/country=DE&locale=de-DE/);
      await page.goto(new URL("/explorer/", page.url()).href);
      await page.waitForURL(/country=DE/);
    });

    it("is reported as not found when it does not exist", async () => {
      const page = await open("/explorer/offers/no-such-offer");
      expect(await isSeen(page.getByRole("heading", { level: 1, name: "Offer not found" }))).toBe(
        true,
      );
    });
  });
}
