import { defaultRegion } from "@storefront/domain/regions";
import { describeWithTypesense, startHttpProxy } from "@storefront/testkit";
import type { HttpProxy } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { everything } from "../src/domain/offer-filter.ts";
import { createTypesenseEngine } from "../src/index.ts";
import type { SearchEngine } from "../src/index.ts";
import { offerOf } from "./support/offer-of.ts";

describeWithTypesense("keys", (typesense) => {
  let proxy: HttpProxy;
  let engine: SearchEngine;
  let used: Set<unknown>;
  beforeEach(async () => {
    used = new Set();
    proxy = await startHttpProxy(typesense.address().url);
    proxy.faultOf = ({ path, headers }) => {
      if (path.startsWith("/multi_search")) used.add(headers["x-typesense-api-key"]);
      return undefined;
    };
  });
  afterEach(async () => {
    await engine.close();
    await proxy.stop();
  });

  /** An index of one offer, written and searched with these keys. */
  const open = async (keys: { apiKey?: string; searchApiKey?: string }) => {
    engine = createTypesenseEngine({ ...typesense.address(), urls: [proxy.url], ...keys });
    await engine.createGeneration(1, { dimensions: undefined });
    await engine.write(undefined, 1, { offers: [offerOf("a")] });
    await engine.activate(undefined, 1);
  };
  const search = async () => {
    const order = { key: "relevance", isAscending: false } as const;
    const selection = { filter: everything, region: defaultRegion, nowMs: 0 };
    return await engine.listOffers({ ...selection, order, limit: 10 });
  };
  const request = async (method: string, path: string, key: string, body?: object) => {
    const { url, prefix } = typesense.address();
    return await fetch(url + path.replace("{}", prefix), {
      method,
      headers: { "x-typesense-api-key": key },
      ...(body && { body: JSON.stringify(body) }),
    });
  };
  const makeKey = async (actions: readonly string[]): Promise<string> => {
    const schema = { description: "of a test", actions, collections: [".*"] };
    const response = await request("POST", "/keys", typesense.address().apiKey, schema);
    return ((await response.json()) as { value: string }).value;
  };

  it("searches with a key that can only search the index", async () => {
    await open({});
    // The first search creates it.
    await search();
    used.clear();
    expect(await search()).toEqual(["a"]);
    const { prefix } = typesense.address();
    const searchIn = (collection: string) => ({ searches: [{ collection, q: "*" }] });
    const tries = [...used].map(async (key) => [
      (await request("POST", "/multi_search", String(key), searchIn(`${prefix}_offers_1`))).status,
      (await request("POST", "/multi_search", String(key), searchIn("another_offers_1"))).status,
      (await request("POST", "/collections/{}_offers_1/documents", String(key), {})).status,
      (await request("DELETE", "/collections/{}_offers_1", String(key))).status,
      (await request("GET", "/keys", String(key))).status,
    ]);
    expect(await Promise.all(tries)).toEqual([[200, 401, 401, 401, 401]]);
  });

  it("searches with the configured key", async () => {
    const searchApiKey = await makeKey(["documents:search"]);
    await open({ searchApiKey });
    expect(await search()).toEqual(["a"]);
    expect([...used]).toEqual([searchApiKey]);
  });

  it("searches with its own key where that may not create keys", async () => {
    const apiKey = await makeKey(["collections:*", "documents:*", "aliases:*"]);
    await open({ apiKey });
    await search();
    used.clear();
    expect(await search()).toEqual(["a"]);
    expect([...used]).toEqual([apiKey]);
  });
});
