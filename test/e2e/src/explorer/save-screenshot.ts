import { launchBrowser } from "@storefront/testkit";
import { fileURLToPath } from "node:url";

// The README's picture, from a running stack:
// `node test/e2e/src/explorer/save-screenshot.ts [gateway URL]`.
const [, , gatewayUrl = "http://127.0.0.1:4000"] = process.argv;

const browser = await launchBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
  });
  await page.goto(`${gatewayUrl}/explorer/?type=BASE_GAME&sale=1&sort=discountPercent`);
  await page.getByRole("article").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.screenshot({
    path: fileURLToPath(new URL("../../../../packages/explorer/screenshot.png", import.meta.url)),
  });
} finally {
  await browser.close();
}
