import {
  describeUnlessMissing,
  launchBrowser,
  makeTemporaryDirectory,
  missingBrowser,
  startStack,
} from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, preview } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPage } from "./explorer/open-page.ts";
import type { OpenPage } from "./explorer/open-page.ts";

const root = fileURLToPath(new URL("../../../examples/vite", import.meta.url));

interface FoundPage {
  total: number;
  offers: { title: string }[];
}

describeUnlessMissing("the Vite storefront example", missingBrowser(), () => {
  let gatewayUrl: string;
  let opened: OpenPage;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const temporary = await makeTemporaryDirectory();
    cleanUps.push(() => temporary.remove());
    const stack = await startStack({ parameters: ["--offers", "150"] });
    cleanUps.push(() => stack.stop());
    ({ gatewayUrl } = stack);
    // Users set the URL the same way.
    await writeFile(join(temporary.path, ".env"), `VITE_CATALOG_URL=${gatewayUrl}\n`);
    const pages = { root, envDir: temporary.path, build: { outDir: join(temporary.path, "dist") } };
    await build({ ...pages, logLevel: "error" });
    const server = await preview({ ...pages, preview: { host: "127.0.0.1", port: 0 } });
    cleanUps.push(() => server.close());
    const browser = await launchBrowser();
    cleanUps.push(() => browser.close());
    opened = await openPage(browser, server.resolvedUrls?.local[0] ?? "", { locale: "de-DE" });
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  const search = async (body: object): Promise<FoundPage> => {
    const response = await fetch(`${gatewayUrl}/search/v2/search?country=DE`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ offerType: "BASE_GAME", limit: 12, ...body }),
    });
    return (await response.json()) as FoundPage;
  };
  const titlesOf = ({ offers }: FoundPage) => offers.map(({ title }) => title);

  it("shows a page of games with prices, finds one by its title and shows it", async () => {
    const { page, complaints } = opened;
    const list = page.getByRole("listitem");
    const titles = () => list.getByRole("button").allInnerTexts();
    const first = await search({});
    await expect.poll(titles).toEqual(titlesOf(first));
    expect((await list.allInnerTexts()).join("\n")).toMatch(/\d,\d\d\s€/);

    await page.getByRole("button", { name: "Next" }).click();
    await expect.poll(titles).toEqual(titlesOf(await search({ page: 2 })));

    const title = titlesOf(first).at(-1) ?? "";
    await page.getByRole("searchbox", { name: "Title" }).fill(title);
    const found = await search({ title });
    await expect.poll(titles).toEqual(titlesOf(found));
    expect(await page.getByRole("status").innerText()).toBe(`${found.total} games`);
    await list.getByRole("button", { name: title, exact: true }).click();
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
