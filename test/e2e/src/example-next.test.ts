import {
  describeUnlessMissing,
  launchBrowser,
  missingBrowser,
  startStack,
} from "@storefront/testkit";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPage } from "./explorer/open-page.ts";
import type { OpenPage } from "./explorer/open-page.ts";

const root = fileURLToPath(new URL("../../../examples/next", import.meta.url));
const next = `${root}/node_modules/next/dist/bin/next`;

interface FoundPage {
  total: number;
  offers: { title: string; price: unknown }[];
}

describeUnlessMissing("the Next.js example", missingBrowser(), () => {
  let gatewayUrl: string;
  let opened: OpenPage;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const stack = await startStack({ parameters: ["--offers", "150"] });
    cleanUps.push(() => stack.stop());
    ({ gatewayUrl } = stack);
    const env = {
      ...process.env,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      CATALOG_URL: gatewayUrl,
    } as const;
    await promisify(execFile)(process.execPath, [next, "build", root], { env });
    const parameters = [next, "start", root, "--hostname", "127.0.0.1", "--port", "0"];
    const server = spawn(process.execPath, parameters, {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    cleanUps.push(async () => {
      if (server.kill()) await once(server, "exit");
    });
    const browser = await launchBrowser();
    cleanUps.push(() => browser.close());
    const url = await firstUrlIn(server.stdout);
    opened = await openPage(browser, url, { javaScriptEnabled: false });
    // A Next.js build takes almost a minute alone, and several minutes beside other drills.
  }, 480_000);
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  const search = async (title: string): Promise<FoundPage> => {
    const query = new URLSearchParams({ title, country: "DE", limit: "12" });
    const response = await fetch(`${gatewayUrl}/search?${query.toString()}`);
    return (await response.json()) as FoundPage;
  };

  it("shows offers with prices and finds one by its title, without scripts", async () => {
    const { page, complaints } = opened;
    const listed = () => page.getByRole("listitem").allInnerTexts();
    const expectFound = async ({ offers, total }: FoundPage) => {
      await expect
        .poll(listed)
        .toEqual(offers.map(({ title }) => expect.stringContaining(title) as unknown));
      expect(await page.getByRole("status").innerText()).toBe(`${total} offers`);
    };
    const all = await search("");
    await expectFound(all);
    const priced = all.offers.filter(({ price }) => price !== null);
    const withPrice = (await listed()).filter((text) => /\d,\d\d\s€$/.test(text));
    expect(withPrice).toHaveLength(priced.length);

    const title = all.offers.at(-1)?.title ?? "";
    const field = page.getByRole("searchbox", { name: "Title" });
    await field.fill(title);
    await field.press("Enter");
    await page.waitForURL(/\?query=./);
    await expectFound(await search(title));
    expect(complaints).toEqual([]);
  });
});

async function firstUrlIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const [url] = /http:\/\/\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("next start ended without printing a URL");
}
