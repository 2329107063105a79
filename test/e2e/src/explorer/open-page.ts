import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

/** A page, and its errors. */
export interface OpenPage {
  page: Page;
  /** Uncaught errors, violations of the security policy, and other errors in the console. */
  complaints: string[];
  close(): Promise<void>;
}

/** Opens a path of a suite's stack. */
export type Open = (path: string, options?: BrowserContextOptions) => Promise<Page>;

/** The browser's message about missing images of a generated catalogue, and about failed calls. */
const expected = /Failed to load resource/;

/** Opens an address in a context of its own: 1280 × 800, light, no motion, in UTC. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    timezoneId: "UTC",
    ...options,
  });
  // As for other waits of the tests.
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) {
      complaints.push(message.text());
    }
  });
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

/** Waits until an element is visible; false when it does not appear. */
export async function isSeen(locator: Locator): Promise<boolean> {
  return await locator.waitFor().then(
    () => true,
    () => false,
  );
}
