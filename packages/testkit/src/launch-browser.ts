import type { Browser } from "playwright-core";
import { findProgram } from "./servers/find-program.ts";

/** Its names on different systems. */
const names = ["chromium", "chromium-browser", "google-chrome"];

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function browserPath(): string | undefined {
  return names.map((name) => findProgram(name)).find((path) => path !== undefined);
}

/** Why there is no browser for tests, undefined when there is one. */
export function missingBrowser(): string | undefined {
  return browserPath() === undefined ? "no browser: install chromium" : undefined;
}

/**
 * Starts the machine's own Chromium, without a window.
 *
 * @throws Error when there is none; see `missingBrowser`
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = browserPath();
  if (executablePath === undefined) throw new Error(missingBrowser());
  // Imported here, because most tests need no browser.
  const { chromium } = await import("playwright-core");
  return await chromium.launch({ executablePath, args: flags });
}
