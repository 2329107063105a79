import { describe, expect, it } from "vitest";
import { knownOffer } from "./known-records.ts";
import { isSeen } from "./open-page.ts";
import type { Open } from "./open-page.ts";

/** Tests of the giveaways page. */
export function describeFreeGames(open: Open): void {
  describe("the giveaways", () => {
    it("are listed as current, upcoming and past, in the reader's time zone", async () => {
      const page = await open("/explorer/", { timezoneId: "Asia/Tokyo" });
      await page.getByRole("link", { name: "Free games" }).click();
      const known = page.getByRole("article").filter({ hasText: knownOffer.title });
      await known.getByText("Feb 1, 2026, 7:00 PM").waitFor();
      await known.getByText("No end announced").waitFor();
      // A giveaway is free, whatever its usual price.
      await known.getByText("Free", { exact: true }).waitFor();
      await page.getByText("Times are in your time zone, Asia/Tokyo.").waitFor();

      await page.getByRole("tab", { name: "Upcoming" }).click();
      await page.waitForURL(/\/free-games\?state=upcoming$/);
      await known.getByText("Mar 2, 2099, 3:30 AM").waitFor();
      await known.getByText("Mar 9, 2099, 3:30 AM").waitFor();
      await known.getByText("Android").waitFor();

      await page.getByRole("tab", { name: "Past" }).click();
      await page
        .getByRole("link", { name: `${knownOffer.title}: Soundtrack` })
        .first()
        .click();
      const offer = page.getByRole("heading", { level: 1, name: /Soundtrack$/ });
      expect(await isSeen(offer)).toBe(true);
    });

    it("are filtered by platform and paged, with all state in the address", async () => {
      const page = await open("/explorer/free-games?state=past");
      await page.getByRole("button", { name: "iOS" }).click();
      await page.waitForURL(/state=past&platform=ios$/);
      const listed = page.locator('.free-games__list[aria-busy="false"]');
      await listed.waitFor();
      await expect
        .poll(async () => [...new Set(await page.locator(".card__type").allInnerTexts())])
        .toEqual(["iOS"]);
      await page.getByRole("button", { name: "Next" }).click();
      await page.waitForURL(/platform=ios&page=2$/);
      await page.getByText("Page 2 of 2").waitFor();
      await listed.waitFor();
      // The earliest of them.
      await expect
        .poll(() => page.getByRole("article").last().innerText())
        .toMatch(/Jan 1, 2020, 12:00\sAM/);
      await page.getByRole("tab", { name: "Upcoming" }).click();
      await page.waitForURL(/state=upcoming&platform=ios$/);
    });

    it("support the keyboard navigation of tabs", async () => {
      const page = await open("/explorer/free-games");
      await page.getByRole("tab", { name: "Now" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.locator('[role="tab"]:focus', { hasText: "Upcoming" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("tab", { name: "Upcoming", selected: true }).waitFor();
      expect(await isSeen(page.getByRole("tabpanel", { name: "Upcoming" }))).toBe(true);
    });

    it("can be subscribed to with the current filters", async () => {
      const page = await open("/explorer/free-games?platform=android&locale=de-DE");
      const { host } = new URL(page.url());
      const hrefOf = async (name: string) =>
        (await page.getByRole("link", { name, exact: true }).getAttribute("href")) ?? "";
      const query = "?platform=android&locale=de-DE";
      expect(await hrefOf("Calendar")).toBe(`webcal://${host}/free-games/feed.ics${query}`);
      const types = ["Calendar file", "Atom", "JSON Feed"].map(async (name) => {
        const response = await page.request.get(new URL(await hrefOf(name), page.url()).href);
        return `${response.status()} ${response.headers()["content-type"]?.split(";")[0]}`;
      });
      expect(await Promise.all(types)).toEqual([
        "200 text/calendar",
        "200 application/atom+xml",
        "200 application/feed+json",
      ]);
    });
  });
}
