import { launchBrowser } from "@storefront/testkit";
import { fileURLToPath } from "node:url";

// The README's pictures, from a running stack with sample data:
// `node test/e2e/src/explorer/save-screenshot.ts [gateway URL]`.
const [, , gatewayUrl = "http://127.0.0.1:4000"] = process.argv;

const pathOf = (name: string) =>
  fileURLToPath(new URL(`../../../../packages/explorer/${name}`, import.meta.url));

const browser = await launchBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
  });
  await page.goto(`${gatewayUrl}/explorer/?type=BASE_GAME&sale=1&sort=discountPercent`);
  await page.getByRole("article").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: pathOf("screenshot.png") });

  await page.goto(`${gatewayUrl}/explorer/offers/${await eventfulOffer()}`);
  const history = page.getByRole("region", { name: /^Price history/ });
  await history.locator("svg").first().waitFor();
  await page.waitForLoadState("networkidle");
  await history.evaluate((section) => section.scrollIntoView({ block: "start" }));
  await page.screenshot({ path: pathOf("screenshot-history.png") });
} finally {
  await browser.close();
}

/** The id of a game on sale whose price has changed most often. */
async function eventfulOffer(): Promise<string> {
  const found = await fetch(`${gatewayUrl}/search/v2/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ offerType: "BASE_GAME", onSale: true, limit: 50 }),
  });
  const { offers } = (await found.json()) as { offers: { id: string }[] };
  const changes = await Promise.all(
    offers.map(async ({ id }) => {
      const response = await fetch(`${gatewayUrl}/offers/${id}/price-history?country=US&limit=100`);
      return { id, count: ((await response.json()) as { elements: unknown[] }).elements.length };
    }),
  );
  const most = changes.toSorted((a, b) => b.count - a.count)[0];
  if (most === undefined) throw new Error("nothing is on sale");
  return most.id;
}
