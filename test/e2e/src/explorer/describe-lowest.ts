import { describe, expect, it } from "vitest";
import { knownOffer } from "./known-records.ts";
import { isSeen } from "./open-page.ts";
import type { Open } from "./open-page.ts";

/** Tests of lowest prices in lists. */
export function describeLowest(open: Open): void {
  describe("the lowest prices in lists", () => {
    const found = `/explorer/?developer=${encodeURIComponent(knownOffer.developer)}`;

    it.each([
      ["was never lower", "GB", "£8.49", /^Lowest price so far$/],
      // It was lower in spring, so the number of days depends on the date of the test.
      ["was lower once", "US", "$9.99", /^Lowest in (30|90|365) days$/],
    ])("are marked on a reduced price that %s", async (_, country, price, badge) => {
      const page = await open(`${found}&country=${country}`);
      const card = page.getByRole("article").filter({ hasText: knownOffer.title });
      await card.getByText(price).waitFor();
      expect(await isSeen(card.getByText(badge))).toBe(true);
    });

    it("are not marked on a price that was never reduced", async () => {
      const page = await open(`${found}&country=DE`);
      const card = page.getByRole("article").filter({ hasText: knownOffer.title });
      await card.getByText("€18.99").waitFor();
      expect(await card.getByText(/^Lowest/).count()).toBe(0);
    });

    it("come with the search, without a call of their own", async () => {
      const page = await open(`${found}&country=GB`);
      const badge = page.getByText("Lowest price so far").and(page.locator("p"));
      await badge.waitFor();
      // Each call once: a call whose response lacks a part is retried.
      const asked = new Set<string>();
      page.on("request", (request) => {
        if (/trpc.*(search|offer|price)/i.test(request.url())) asked.add(request.url());
      });
      await page.reload();
      await badge.waitFor();
      const paths = [...asked].map((url) => new URL(url).pathname);
      expect(paths).toEqual(["/trpc/search.searchOffers"]);
    });

    it("are filtered by window and sorted by duration, with all state in the address", async () => {
      const page = await open(`${found}&country=GB`);
      const known = page.getByRole("link", { name: knownOffer.title, exact: true });
      await known.waitFor();
      const lowest = page.getByRole("combobox", { name: /^Price is/ });
      expect(await lowest.getByRole("option").allInnerTexts()).toEqual([
        "Any",
        "Lowest in 30 days",
        "Lowest in 90 days",
        "Lowest in 365 days",
        "Lowest price so far",
      ]);
      await lowest.selectOption({ label: "Lowest price so far" });
      await page.getByRole("button", { name: "Lowest price so far: remove this filter" }).waitFor();
      await page.getByLabel("Sort").selectOption({ label: "Longest at lowest price" });
      await page.waitForURL(/sort=lowestFor/);
      await page.locator('.search__list[aria-busy="false"]').waitFor();
      await known.waitFor();
      const url = new URL(page.url());
      expect(Object.fromEntries(url.searchParams)).toEqual({
        country: "GB",
        developer: knownOffer.developer,
        lowest: "ever",
        sort: "lowestFor",
      });

      // In dollars it was lower once.
      url.searchParams.set("country", "US");
      const other = await open(`${url.pathname}${url.search}`);
      await other.getByRole("heading", { name: "No matching offers" }).waitFor();
      await other.getByRole("combobox", { name: /^Price is/ }).selectOption("days30");
      await other.waitForURL(/lowest=days30/);
      await other.getByRole("link", { name: knownOffer.title, exact: true }).waitFor();
      await other.getByRole("button", { name: /^Lowest in 30 days: remove/ }).click();
      await expect.poll(() => new URL(other.url()).searchParams.has("lowest")).toBe(false);
    });

    it("are marked on upcoming giveaways", async () => {
      const page = await open("/explorer/free-games?state=upcoming&country=GB");
      const giveaway = page.getByRole("article").filter({ hasText: "£8.49" });
      expect(await isSeen(giveaway.getByText("Lowest price so far"))).toBe(true);
    });

    it("are marked on matches of a natural-language question", async () => {
      const page = await open(
        "/explorer/ask?country=GB&q=a+lighthouse+in+winter+storms,+keep+the+lamp+burning",
      );
      const match = page.getByRole("article").filter({ hasText: "£8.49" });
      expect(await isSeen(match.getByText("Lowest price so far"))).toBe(true);
    });
  });
}
