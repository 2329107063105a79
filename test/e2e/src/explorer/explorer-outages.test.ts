import { builtPages } from "@storefront/explorer";
import { createGateway } from "@storefront/gateway";
import type { Gateway } from "@storefront/gateway";
import { createLogger } from "@storefront/process";
import {
  describeUnlessMissing,
  freePort,
  launchBrowser,
  missingBrowser,
  startStack,
} from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Server } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { findFaults } from "./find-faults.ts";
import { importLines, knownOffer, observeKnownOffer } from "./known-records.ts";
import { isSeen, openPage } from "./open-page.ts";
import type { OpenPage } from "./open-page.ts";

describeUnlessMissing("the explorer, while a service is down", missingBrowser(), () => {
  let stack: TestStack;
  let browser: Browser;
  let gateway: Gateway;
  let url: string;
  /** Port that the gateway calls for services that are down. */
  let deadPort: number;
  let opened: OpenPage | undefined;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
    const imported = await stack.cli(["import", "-"], { stdin: importLines(observeKnownOffer()) });
    if (imported.status !== 0) throw new Error(imported.stderr);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  beforeEach(() => {
    opened = undefined;
  });
  afterEach(async () => {
    await opened?.close();
    await gateway.close();
  });

  /** Starts a gateway in front of the stack's services, except for the named ones, which are down. */
  const startGatewayWithout = async (...missing: string[]) => {
    deadPort = await freePort();
    const { directory } = await builtPages();
    const urlOf = (name: string) =>
      missing.includes(name) ? `http://127.0.0.1:${deadPort}` : (stack.services[name]?.url ?? "");
    gateway = createGateway({
      serviceUrls: {
        catalog: urlOf("catalog"),
        pricing: urlOf("pricing"),
        reviews: urlOf("reviews"),
        changelog: urlOf("changelog"),
        search: urlOf("search"),
      },
      logger: createLogger({ service: "gateway", level: "silent" }),
      pagesDirectory: directory,
    });
    const { port } = await gateway.listen({ port: 0, host: "127.0.0.1" });
    url = `http://127.0.0.1:${port}/explorer`;
  };

  const open = async (path: string) => {
    opened = await openPage(browser, `${url}${path}`);
    return opened.page;
  };

  it("shows an offer without its reviews and prices, and says that they are not available", async () => {
    await startGatewayWithout("reviews", "pricing");
    const page = await open(`/offers/${knownOffer.id}`);
    await page.getByRole("heading", { level: 1, name: knownOffer.title }).waitFor();
    await page.getByRole("heading", { name: "Reviews: not available right now" }).waitFor();
    await page
      .getByRole("heading", { name: "The price history: not available right now" })
      .waitFor();
    await page.getByText("Record added").waitFor();
    await page.getByRole("row").filter({ hasText: "1.4.2" }).waitFor();
    await page.getByRole("button", { name: /systems? down$/ }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(opened?.complaints).toEqual([]);
  });

  it("says that the search is not available, links elsewhere, and recovers automatically", async () => {
    await startGatewayWithout("search");
    const page = await open("/");
    await page.getByRole("heading", { name: "The search: not available right now" }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByRole("link", { name: knownOffer.title, exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Browse" }).click();
    await page.getByRole("heading", { name: "The search: not available right now" }).waitFor();

    const relay = await startRelay(deadPort, stack.services["search"]?.url ?? "");
    try {
      await page.getByRole("link", { name: knownOffer.title, exact: true }).waitFor();
    } finally {
      relay.close();
    }
    expect(opened?.complaints).toEqual([]);
  });

  it("says that the changelog is not available, and follows it once it is back", async () => {
    await startGatewayWithout("changelog");
    const page = await open("/changes");
    await page.getByRole("heading", { name: "The changelog: not available right now" }).waitFor();
    await page.getByText("Reconnecting", { exact: true }).waitFor();
    const relay = await startRelay(deadPort, stack.services["changelog"]?.url ?? "");
    try {
      await page.getByRole("link", { name: knownOffer.title, exact: true }).first().waitFor();
      expect(await isSeen(page.getByText("Live", { exact: true }))).toBe(true);
    } finally {
      relay.close();
    }
  });

  it("says that the gateway itself does not respond, and preserves its content", async () => {
    await startGatewayWithout();
    const page = await open("/");
    const shown = page.getByRole("link", { name: knownOffer.title, exact: true });
    await shown.waitFor();
    await gateway.close();
    await page.getByRole("button", { name: "All systems are up" }).click();
    await page.getByRole("dialog", { name: "The gateway does not respond" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await shown.count()).toBe(1);
    await page.getByRole("switch", { name: "On sale" }).click();
    await page.getByRole("heading", { name: "The gateway cannot be reached" }).waitFor();
  });
});

/** Forwards connections of a port to a service. */
async function startRelay(port: number, serviceUrl: string): Promise<Server> {
  const { hostname, port: servicePort } = new URL(serviceUrl);
  const server = createServer((socket) => {
    const service = connect(Number(servicePort), hostname);
    socket.pipe(service).pipe(socket);
    for (const end of [socket, service]) {
      end.on("error", () => {
        socket.destroy();
        service.destroy();
      });
    }
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
