import { describeWithRedis, freePort, startRedis } from "@storefront/testkit";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { HttpResponse } from "./support/http-client.ts";
import { codeWithTitle } from "./support/code-with-title.ts";
import type { OtherCode } from "./support/code-with-title.ts";
import { records } from "./support/records.ts";
import { startGateway } from "./support/start-stack.ts";
import { startServices } from "./support/start-services.ts";
import type { TestServices } from "./support/start-services.ts";

type Gateway = Awaited<ReturnType<typeof startGateway>>;

const path = "/offers/full";
// Enough for a busy machine; waiting ends as soon as it can.
const patience = { timeout: 10_000 };

const isHit = ({ headers }: HttpResponse) => headers["age"] !== undefined;

let services: TestServices;
let gateways: Gateway[] = [];
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services.close());
beforeEach(() => {
  services.reset();
  for (const feed of Object.values(services.feeds)) feed.resume();
});
afterEach(closeAll);

async function closeAll(): Promise<void> {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  gateways = [];
  await vi.waitUntil(() => services.feeds.catalog.watching === 0, patience);
}

/** A gateway that follows every feed and has reached its Redis. */
async function start(redisUrl: string, create?: OtherCode["createGateway"]): Promise<Gateway> {
  const gateway = await startGateway(services, { redisUrl }, create);
  gateways.push(gateway);
  await vi.waitUntil(() => services.feeds.changelog.watching === gateways.length, patience);
  await vi.waitUntil(async () => {
    const { json } = await gateway.ask("/health");
    return JSON.stringify(json).includes('"cache":{"status":"ok"');
  }, patience);
  return gateway;
}

/** Asks a gateway that cannot make the response itself. */
async function askWithoutService(gateway: Gateway, asked = path): Promise<HttpResponse> {
  services.interfere.set("batchGetOffers", () => Promise.reject(new Error("down")));
  const response = await gateway.ask(asked);
  services.interfere.clear();
  return response;
}

/** Makes a response and waits until another gateway, which has none, serves it. */
async function share(maker: Gateway, other: Gateway): Promise<void> {
  await vi.waitUntil(async () => {
    await maker.ask(path);
    return (await askWithoutService(other)).status === 200;
  }, patience);
}

/** Gives the offer a new title, and returns it. */
function write(): string {
  const title = randomUUID();
  const [offer] = records.offers;
  if (offer !== undefined) offer.title = title;
  services.feeds.catalog.commit({ kind: "offer", key: ["full"], namespace: "room" });
  return title;
}

const textOf = async (gateway: Gateway) => (await gateway.ask(path)).text;

const soon = { interval: 5 };

describeWithRedis("a response cache in Redis", (redis) => {
  it("serves what another gateway has made, byte for byte and without a call", async () => {
    const maker = await start(redis.url());
    const other = await start(redis.url());
    const title = write();
    await expect.poll(() => textOf(maker), soon).toContain(title);
    await vi.waitUntil(async () => {
      await maker.ask(path);
      return (await askWithoutService(other, `${path}?country=US`)).status === 200;
    }, patience);
    const made = await maker.ask(path);
    const shared = await other.ask(path, { headers: { "accept-encoding": "br" } });
    expect(shared.text).toBe(made.text);
    expect(shared.headers["cache-control"]).toBe(made.headers["cache-control"]);
  });

  it("shares responses of an empty log, until the log has an entry", async () => {
    const { reviews } = services.feeds;
    const reviewed = "/offers/full/reviews";
    const length = reviews.length();
    reviews.replace(0);
    const maker = await start(redis.url());
    await share(maker, await start(redis.url()));
    await maker.ask(reviewed);
    reviews.commit({ kind: "review", key: ["r8"] });
    const next = await start(redis.url());
    expect(isHit(await next.ask(reviewed))).toBe(false);
    reviews.replace(length);
  });

  it("is shared only by gateways with the same code", async () => {
    const title = "as other code shows it";
    const otherCode = await codeWithTitle(title);
    const other = await start(redis.url(), otherCode.createGateway);
    await share(other, await start(redis.url(), otherCode.createGateway));
    expect(await textOf(other)).toContain(title);
    expect(await textOf(await start(redis.url()))).not.toContain(title);
    await otherCode.remove();
  });

  it("never serves what a write has touched, whichever gateway made it", async () => {
    const maker = await start(redis.url());
    const other = await start(redis.url());
    await share(maker, other);
    const title = write();
    for (const gateway of [maker, other]) {
      await expect.poll(() => textOf(gateway), soon).toContain(title);
    }
  });

  it("never serves what was written to while no gateway was running", async () => {
    await share(await start(redis.url()), await start(redis.url()));
    await closeAll();
    const title = write();
    const next = await start(redis.url());
    expect((await next.ask(path)).text).toContain(title);
  });

  it("never serves what was made from writes that a restored backup has undone", async () => {
    const { catalog } = services.feeds;
    const before = catalog.length();
    const undone = write();
    await share(await start(redis.url()), await start(redis.url()));
    await closeAll();
    catalog.restore(before);
    const [offer] = records.offers;
    if (offer !== undefined) offer.title = "as it was";
    catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
    const next = await start(redis.url());
    for (const asked of [await next.ask(path), await next.ask(path)]) {
      expect(asked.text).not.toContain(undone);
    }
  });

  it("serves a new gateway the responses that no write has touched since", async () => {
    await share(await start(redis.url()), await start(redis.url()));
    await closeAll();
    const madeBy = async () => {
      services.calls.length = 0;
      const next = await start(redis.url());
      await next.ask(path);
      await closeAll();
      return services.calls.filter(({ method }) => method === "batchGetOffers");
    };
    // A gateway makes its own response before its feeds have begun.
    await expect.poll(madeBy, patience).toEqual([]);
  });

  it("replaces an unavailable service in a gateway that has never made the response", async () => {
    const maker = await start(redis.url());
    await share(maker, await start(redis.url()));
    const other = await start(redis.url());
    for (const method of ["batchGetOffers", "batchGetPrices"]) {
      services.interfere.set(method, () => Promise.reject(new Error("down")));
    }
    for (const feed of Object.values(services.feeds)) feed.interrupt();
    await vi.waitUntil(() => services.feeds.catalog.watching === 0, patience);
    // On a busy machine Redis may exceed its 50 ms.
    await expect
      .poll(async () => {
        const { status, headers } = await other.ask(path);
        return [status, headers["age"]];
      }, patience)
      .toEqual([200, expect.any(String)]);
  });

  it("is optional: without Redis responses are made, cached in the process, and touched by writes", async () => {
    const port = await freePort();
    const first = await startRedis(port);
    const gateway = await start(`redis://127.0.0.1:${port}`);
    await first.stop();
    for (let time = 0; time < 2; time++) {
      await vi.waitUntil(async () => isHit(await gateway.ask(path)), patience);
      const title = write();
      await expect.poll(() => textOf(gateway), soon).toContain(title);
    }
    const second = await startRedis(port);
    const other = await start(`redis://127.0.0.1:${port}`);
    await vi.waitUntil(async () => {
      write();
      await gateway.ask(path);
      return (await askWithoutService(other)).status === 200;
    }, patience);
    await closeAll();
    await second.stop();
  });

  it("is not awaited when it hangs", async () => {
    const port = await freePort();
    // A Redis of its own, since it serves no other test meanwhile.
    const server = await startRedis(port);
    const gateway = await start(server.url);
    const socket = connect(port, "127.0.0.1");
    socket.write("CLIENT PAUSE 600000\r\n");
    await once(socket, "data");
    // Gets its reply when the pause is over.
    socket.write("PING\r\n");
    let isOver = false;
    socket.once("data", () => (isOver = true));
    for (const locale of ["de-DE", "fr-FR", "es-ES", "it-IT", "pl-PL"]) {
      expect((await gateway.ask(`${path}?locale=${locale}`)).status).toBe(200);
    }
    expect(isOver).toBe(false);
    socket.destroy();
    await closeAll();
    await server.stop();
  });
});
