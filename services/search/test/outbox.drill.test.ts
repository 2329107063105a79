import { createClient } from "@connectrpc/connect";
import { FollowerService } from "@storefront/contracts/feed/v1/follower_service";
import type { Database } from "@storefront/database";
import { generateCatalogue } from "@storefront/sample-data";
import {
  describeOnEachMigratedDatabase,
  describeUnlessMissing,
  drillsAreLong,
  missingTypesense,
  startHttpProxy,
  startTypesense,
} from "@storefront/testkit";
import type { HttpProxy, TypesenseServer } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createTypesenseEngine } from "../src/index.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

const prefix = "outbox";
const child = new URL("support/follow-until-killed.ts", import.meta.url).pathname;

describeUnlessMissing("an external index", missingTypesense(), () => {
  describeOnEachMigratedDatabase("with faults", faults, ["postgres"]);
  describeOnEachMigratedDatabase("with kills", kills, ["postgres"]);
});

function faults(testDatabase: TestDatabase) {
  let server: TypesenseServer;
  let proxy: HttpProxy;
  let sources: Sources;
  let running: RunningSearch;
  beforeAll(async () => {
    server = await startTypesense();
    proxy = await startHttpProxy(server.url);
    sources = await startSources(testDatabase.options());
    const urls = [proxy.url];
    const options = { urls, apiKey: server.apiKey, prefix, writeTimeoutMs: 3_000 };
    running = await startSearch(sources, { engine: createTypesenseEngine(options) });
    await write("first");
    await eventually(() => isFound("first"));
  });
  afterEach(() => {
    proxy.faultOf = () => undefined;
  });
  afterAll(async () => {
    await running.close();
    await sources.close();
    await proxy.stop();
    await server.stop();
  });

  const write = async (id: string, record: object = {}) =>
    await sources.ingest([{ kind: "offer", record: { id, title: `Title of ${id}`, ...record } }]);
  const isFound = async (id: string) => {
    const asked = running.search.searchOffers({ query: {}, region: "US", pageSize: 100 });
    return (await asked.catch(() => ({ offerIds: [] as string[] }))).offerIds.includes(id);
  };
  const followers = () => createClient(FollowerService, running.withToken);
  const outbox = async () => {
    const { feeds } = await followers().describeFollowers({});
    return feeds.find(({ feed }) => feed === "outbox");
  };
  const lag = async () => {
    const { dependencies } = await running.health.checkHealth({});
    return dependencies.find(({ name }) => name === "outbox");
  };

  it("quarantines a document that the server refuses, and sends the others", async () => {
    proxy.faultOf = ({ bytes }) => (bytes > 40_000 ? { status: 413 } : undefined);
    const description = Array.from({ length: 900 }, (_, n) => `${n}`.padEnd(50, "w")).join(" ");
    await write("before it");
    await write("refused", { description });
    await write("after it");
    await eventually(async () => (await isFound("before it")) && (await isFound("after it")));
    await eventually(async () => (await lag())?.lagEntries === 0n);
    expect(await isFound("refused")).toBe(false);
    const { quarantined = [], quarantinedCount: refused = 0n } = (await outbox()) ?? {};
    expect(quarantined).toContainEqual(
      expect.objectContaining({
        kind: "offer",
        key: ["refused"],
        error: expect.stringContaining("413"),
      }),
    );
    expect(new Set(quarantined.map(({ key }) => key[0]))).toEqual(new Set(["refused"]));
    await expect
      .poll(lag, { timeout: 20_000 })
      .toMatchObject({ lagEntries: 0n, quarantinedEntries: refused });
    expect(await followers().retryQuarantined({})).toMatchObject({ failedCount: refused });
    proxy.faultOf = () => undefined;
    const retried = await followers().retryQuarantined({});
    expect(retried).toMatchObject({ appliedCount: refused, failedCount: 0n });
    await eventually(() => isFound("refused"));
    expect((await outbox())?.quarantinedCount).toBe(0n);
  });

  it("sends a price that was refused with its offer once the offer is accepted", async () => {
    const description = Array.from({ length: 900 }, (_, n) => `${n}`.padEnd(50, "w")).join(" ");
    await proxy.refuse();
    await write("mended", { description });
    const price = { currencyCode: "USD", originalPrice: 1_000, discountPrice: 500 };
    await sources.ingest([{ kind: "price", record: { offerId: "mended", region: "US", price } }]);
    await eventually(() => isApplied(sources.database));
    // The changelog has an entry with the long description as well.
    proxy.faultOf = ({ path, bytes }) =>
      path.includes(`${prefix}_offers_`) && bytes > 40_000 ? { status: 413 } : undefined;
    await proxy.listen();
    await eventually(async () => (await lag())?.lagEntries === 0n);
    const kinds = (await outbox())?.quarantined.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["offer", "price"]));
    await write("mended", { description: "Short" });
    await eventually(async () => (await outbox())?.quarantinedCount === 0n);
    await eventually(async () => (await lag())?.lagEntries === 0n);
    const onSale = { query: { onSale: true }, region: "US", pageSize: 10 };
    expect((await running.search.searchOffers(onSale)).offerIds).toEqual(["mended"]);
  });

  it("sends nothing again while a request with older documents is in progress", async () => {
    await write("overtakes", { title: "Cryptonomicon" });
    await eventually(() => isFound("overtakes"));
    // It is found before it is acknowledged.
    await eventually(async () => (await lag())?.lagEntries === 0n);
    const release = Promise.withResolvers<undefined>();
    let stalled = 0;
    let failed = 0;
    proxy.faultOf = ({ path, bytes }) => {
      if (!path.includes("/import") || bytes < 5_000 || failed > 1) return undefined;
      if (bytes < 30_000) {
        failed += 1;
        return { status: 503 };
      }
      stalled += 1;
      return release.promise;
    };
    // Two requests: the first of 1,000 documents, with the offer; the second of the others.
    await sources.database.write(
      `insert into search.outbox (generation, kind, id, position)
        select 0, 'offer', id, nextval('search.outbox_position')
        from (select 'overtakes' union all select 'absent-' || generate_series(1, 1200)) as added(id)`,
    );
    await write("wakes the sender");
    await eventually(async () => stalled === 1 && failed === 2);
    await write("overtakes", { title: "Anathem" });
    await eventually(() => isApplied(sources.database));
    await eventually(async () => (await lag())?.lagEntries === 0n);
    release.resolve(undefined);
    // The server applies requests in the order of their arrival.
    await write("after the held one");
    await eventually(() => isFound("after the held one"));
    const anathem = { query: { title: "anathem" }, region: "US", pageSize: 10 };
    expect((await running.search.searchOffers(anathem)).offerIds).toEqual(["overtakes"]);
  });

  it("sends only the last state of documents that change while the server is unavailable", async () => {
    await proxy.refuse();
    await write("changes", { title: "Leviathan" });
    await write("changes", { title: "Quicksilver" });
    await write("goes");
    await sources.ingest([{ kind: "offer", op: "delete", record: { id: "goes" } }]);
    await eventually(() => isApplied(sources.database));
    await proxy.listen();
    await eventually(async () => (await lag())?.lagEntries === 0n);
    const found = await running.search.searchOffers({
      query: { title: "quicksilver" },
      region: "US",
      pageSize: 10,
    });
    expect(found.offerIds).toEqual(["changes"]);
    expect(await isFound("goes")).toBe(false);
  });
}

function kills(testDatabase: TestDatabase) {
  const count = drillsAreLong ? 40 : 6;
  let directory: string;
  let server: TypesenseServer;
  let sources: Sources;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "storefront-outbox-"));
    server = await startTypesense({ directory });
    sources = await startSources(testDatabase.options());
  });
  afterAll(async () => {
    await sources.close();
    await server.stop();
    await rm(directory, { recursive: true });
  });

  it(
    `has every document as stored after ${count} alternating kills of the search and of Typesense`,
    { timeout: 600_000 },
    async () => {
      const { database } = sources;
      const lines: Line[] = [
        ...generateCatalogue({ offers: 120, seed: 6, now: new Date("2023-12-01") }),
      ];
      const share = Math.ceil(lines.length / (count + 1));
      await sources.ingest(lines.slice(0, share));
      await (await searchOn(server)).close();
      for (let killed = 0; killed < count; killed++) {
        const search = startChild();
        search.stdin.write("\n");
        await once(search.stdout, "data");
        const from = share * (killed + 1);
        const importing = sources.ingest(lines.slice(from, from + share));
        await eventually(async () => (await waiting(database)) > 0, { limitMs: 60_000 });
        await sleep(Math.random() * 300);
        if (killed % 2 === 0) {
          const port = Number(new URL(server.url).port);
          await server.kill();
          await importing;
          server = await startTypesense({ directory, port });
        }
        search.kill("SIGKILL");
        await once(search, "exit");
        await importing;
        await database.write("update search.feed_lease set expires_at = clock_timestamp()");
      }
      const running = await searchOn(server);
      const survived = await documentsIn(server);
      expect(survived.size).toBeGreaterThan(120);
      // A reindex builds an undisturbed index for comparison.
      for await (const { phase } of running.index.reindex({}, { timeoutMs: 120_000 })) void phase;
      const fresh = await documentsIn(server);
      await running.close();
      expect([...survived.keys()].toSorted()).toEqual([...fresh.keys()].toSorted());
      for (const [id, document] of survived) expect(document).toEqual(fresh.get(id));
    },
  );

  const startChild = () =>
    spawn(process.execPath, [
      child,
      testDatabase.options().url,
      sources.urls.catalog,
      sources.urls.pricing,
      sources.urls.reviews,
      sources.urls.changelog,
      server.url,
      server.apiKey,
      prefix,
    ]);

  /** A search that has caught up. */
  async function searchOn({ url, apiKey }: TypesenseServer): Promise<RunningSearch> {
    const engine = createTypesenseEngine({ urls: [url], apiKey, prefix });
    const running = await startSearch(sources, { engine });
    await eventually(() => isCaughtUp(sources.database), { limitMs: 120_000 });
    return running;
  }
}

type TestDatabase = Parameters<Parameters<typeof describeOnEachMigratedDatabase>[1]>[0];

async function waiting(database: Database): Promise<number> {
  const row = await database.readOne<{ waiting: number }>(
    "select count(*)::int4 as waiting from search.outbox",
  );
  return row?.waiting ?? 0;
}

/** Whether all writes to the catalog and to pricing are stored. */
async function isApplied(database: Database): Promise<boolean> {
  const row = await database.readOne<{ is_applied: boolean }>(
    `select (select max(seq) from catalog.change_log)
      = (select sequence from search.feed_cursor where feed = 'catalog')
      and (select coalesce(max(seq), 0) from pricing.change_log)
      = (select coalesce(max(sequence), 0) from search.feed_cursor where feed = 'region prices') as is_applied`,
  );
  return row?.is_applied === true;
}

/** Every document of the live generation, by the kind of its collection and its id. */
async function documentsIn({ url, apiKey }: TypesenseServer): Promise<Map<string, object>> {
  const headers = { "x-typesense-api-key": apiKey };
  const ask = async (path: string) => await (await fetch(url + path, { headers })).text();
  const collections = JSON.parse(await ask("/collections")) as { name: string }[];
  const generation = Math.max(...collections.map(({ name }) => Number(name.split("_").at(-1))));
  const documents = new Map<string, object>();
  for (const { name } of collections) {
    if (!name.endsWith(`_${generation}`)) continue;
    const kind = name.slice(0, -String(generation).length);
    for (const line of (await ask(`/collections/${name}/documents/export`)).split("\n")) {
      if (line === "") continue;
      const document = JSON.parse(line) as { id: string };
      documents.set(`${kind}${document.id}`, document);
    }
  }
  return documents;
}
