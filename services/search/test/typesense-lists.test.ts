import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { defaultRegion } from "@storefront/regions";
import { memoryDatabase } from "@storefront/testkit";
import { startTypesenseDouble } from "@storefront/typesense-double";
import type { TypesenseDouble } from "@storefront/typesense-double";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { everything } from "../src/domain/offer-filter.ts";
import { createTypesenseEngine } from "../src/index.ts";
import type { SearchEngine } from "../src/index.ts";
import { offerOf } from "./support/offer-of.ts";

const ids = Array.from({ length: 600 }, (_, index) => `offer ${index}`);

let double: TypesenseDouble;
let database: Database;
let writer: SearchEngine;
beforeAll(async () => {
  double = await startTypesenseDouble({ apiKey: "k" });
  database = await openDatabase(await memoryDatabase("schemas"));
  writer = createTypesenseEngine(double);
  await writer.createGeneration(1, { dimensions: undefined });
  await write(ids.map((id, index) => [id, index]));
  await database.transaction((tx) => writer.activate(tx, 1));
});
afterAll(async () => {
  await writer.close();
  await database.close();
  await double.close();
});

const write = async (changed: readonly (readonly [id: string, creationDateMs: number])[]) => {
  const offers = changed.map(([id, creationDateMs]) => offerOf(id, { creationDateMs }));
  await database.transaction((tx) => writer.write(tx, 1, { offers }));
};

/** Lists all offers, oldest first. */
const list = async (engine: SearchEngine) => {
  const order = { key: "creationDate", isAscending: true } as const;
  const selection = { filter: everything, region: defaultRegion, nowMs: 0 };
  return await engine.listOffers({ ...selection, order, limit: 10_000 });
};

/** An engine of whose searches so many are each followed by a write. */
async function disturbedEngine(searches: number, disturb: () => Promise<void>) {
  let left = searches;
  const server = createServer((request, response) => {
    void (async () => {
      const { method = "GET", url = "" } = request;
      const sent = method === "GET" ? {} : { body: await buffer(request) };
      const headers = { "x-typesense-api-key": "k", "content-type": "application/json" };
      const answer = await fetch(double.url + url, { method, headers, ...sent });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (url.startsWith("/multi_search") && left > 0) {
        left -= 1;
        await disturb();
      }
      response.writeHead(answer.status, { "content-type": "application/json" }).end(bytes);
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const engine = createTypesenseEngine({ url: `http://127.0.0.1:${port}`, apiKey: "k" });
  onTestFinished(async () => {
    await engine.close();
    server.closeAllConnections();
    server.close();
  });
  return engine;
}

it("lists an offer that has slipped from one page to another while they were read", async () => {
  let moved = 0;
  const engine = await disturbedEngine(1, async () => {
    // The last of all becomes the first: each of the others is one further, as after the end of a write.
    await write([["offer 599", --moved]]);
  });
  expect(await list(engine)).toEqual(["offer 599", ...ids.slice(0, -1)]);
});

it("lists nothing while no two lists in a row are the same", async () => {
  let moved = 0;
  const engine = await disturbedEngine(100, async () => {
    moved += 1;
    await write([[`offer ${moved}`, -moved]]);
  });
  await expect(list(engine)).rejects.toThrow("typesense cannot be reached");
});
