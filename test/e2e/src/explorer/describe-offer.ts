import { describe, expect, it } from "vitest";
import { knownOffer } from "./known-records.ts";
import { isSeen } from "./open-page.ts";
import type { Open } from "./open-page.ts";

/** What the page of an offer does. */
export function describeOffer(open: Open): void {
  describe("an offer", () => {
    const path = `/explorer/offers/${knownOffer.id}`;

    it("shows its price, its history, all regions, builds, reviews and changes", async () => {
      const page = await open(path);
      await page.getByRole("heading", { level: 1, name: knownOffer.title }).waitFor();
      expect(await page.title()).toContain(knownOffer.title);
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

    it("asks for the prices of all regions in one call", async () => {
      const page = await open(path);
      const asked: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith("/trpc/")) asked.push(...pathname.slice(6).split(","));
      });
      await page.reload();
      await page.getByRole("button", { name: "All 52 regions" }).waitFor();
      const forPrices = asked.filter((procedure) => /^pricing\..*prices?$/i.test(procedure));
      expect(forPrices).toEqual(["pricing.listOfferPrices"]);
    });

    it("shows a drawing for a picture that cannot be loaded", async () => {
      const page = await open(path);
      await page.getByRole("img", { name: /which cannot be loaded$/ }).waitFor();
      expect(await page.locator(".hero .cover img").count()).toBe(0);
    });

    it("reads its price under the pointer", async () => {
      const page = await open(path);
      const chart = page.getByRole("img", { name: /^Price since/ });
      const box = await chart.boundingBox();
      if (box === null) throw new Error("no chart");
      await chart.hover({ position: { x: 70, y: box.height / 2 } });
      await expect
        .poll(() => page.locator(".chart__readout").innerText())
        .toMatch(/Jan.*\$19\.99/s);
    });

    it("follows the country and the language, and keeps them in the address", async () => {
      const page = await open(path);
      await page
        .getByRole("button", { name: /^Country/ })
        .or(page.getByRole("combobox", { name: /^Country/ }))
        .click();
      await page.getByPlaceholder("Find a country").fill("germ");
      await page.getByRole("option", { name: "Germany" }).click();
      await page.getByRole("complementary", { name: "Price" }).getByText("€18.99").waitFor();
      await page.getByLabel(/^Language/).selectOption("de-DE");
      await page.getByRole("heading", { level: 1, name: knownOffer.germanTitle }).waitFor();
      expect(
        await isSeen(page.getByRole("complementary", { name: "Price" }).getByText("18,99 €")),
      ).toBe(true);
      await page.getByRole("link", { name: "Browse" }).click();
      await page.waitForURL(/country=DE&locale=de-DE/);
      await page.goto(new URL("/explorer/", page.url()).href);
      await page.waitForURL(/country=DE/);
    });

    it("is told from one that does not exist", async () => {
      const page = await open("/explorer/offers/no-such-offer");
      expect(await isSeen(page.getByRole("heading", { level: 1, name: "Offer not found" }))).toBe(
        true,
      );
    });
  });
}
