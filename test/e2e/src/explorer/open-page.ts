import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

/** A page, and what went wrong on it. */
export interface OpenPage {
  page: Page;
  /** Uncaught errors, refusals of the security policy, and whatever else the page complains about. */
  complaints: string[];
  close(): Promise<void>;
}

/** Opens a path of the stack of a suite. */
export type Open = (path: string, options?: BrowserContextOptions) => Promise<Page>;

/** What a browser says of pictures that a made-up catalogue does not have, and of calls that fail. */
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
  // As everything else that tests wait for.
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

/** Waits until something is there to be seen; false when it does not come. */
export async function isSeen(locator: Locator): Promise<boolean> {
  return await locator.waitFor().then(
    () => true,
    () => false,
  );
}
