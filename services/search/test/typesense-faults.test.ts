import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { lockWriters } from "@storefront/database";
import { errorInfoOf } from "@storefront/rpc";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { startTypesenseDouble } from "@storefront/typesense-double";
import type { TypesenseDouble } from "@storefront/typesense-double";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createTypesenseEngine } from "../src/index.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { RunningSearch, Sources } from "./support/search-fixture.ts";

describeOnEachMigratedDatabase(
  "a search on Typesense",
  (testDatabase) => {
    let double: TypesenseDouble;
    let sources: Sources;
    let running: RunningSearch;
    beforeAll(async () => {
      double = await startTypesenseDouble({ apiKey: "k" });
      sources = await startSources(testDatabase.options());
      const engine = createTypesenseEngine({ ...double, timeoutMs: 1_000, writeTimeoutMs: 1_000 });
      running = await startSearch(sources, { engine });
      await write("first");
      await eventually(() => isFound("first"));
    });
    afterEach(async () => {
      double.clearFaults();
      await double.comeBack();
    });
    afterAll(async () => {
      await running.close();
      await sources.close();
      await double.close();
    });

    const find = async () =>
      await running.search.searchOffers({ query: {}, region: "US", pageSize: 100 });
    const isFound = async (id: string) =>
      (await find().catch(() => ({ offerIds: [] as string[] }))).offerIds.includes(id);
    const write = async (id: string) =>
      await sources.ingest([{ kind: "offer", record: { id, title: `Title of ${id}` } }]);
    const reason = async () =>
      await find().then(
        () => undefined,
        (error: unknown) => errorInfoOf(error)?.reason,
      );
    const engineHealth = async () => {
      const { dependencies } = await running.health.checkHealth({});
      return dependencies.find(({ name }) => name === "typesense")?.status;
    };

    /** Deletes all that the server holds. */
    const empty = async () => {
      const headers = { "x-typesense-api-key": "k" };
      const list = async (path: string) =>
        await (await fetch(double.url + path, { headers })).json();
      const { aliases } = (await list("/aliases")) as { aliases: { name: string }[] };
      const collections = (await list("/collections")) as { name: string }[];
      const paths = [
        ...aliases.map(({ name }) => `/aliases/${name}`),
        ...collections.map(({ name }) => `/collections/${name}`),
      ];
      for (const path of paths) await fetch(double.url + path, { method: "DELETE", headers });
    };

    const faults: readonly (readonly [string, () => unknown])[] = [
      ["away", () => double.goAway()],
      ["slow", () => double.delay(60_000)],
      ["lagging", () => double.fail({ status: 503 })],
      ["refusing its key", () => double.fail({ status: 401, message: "Forbidden" })],
    ];
    it("says that the server has lost the index, and builds it anew", async () => {
      const well = await engineHealth();
      await empty();
      expect(await reason()).toBe(ErrorReason.DEPENDENCY_UNAVAILABLE);
      expect(await engineHealth()).not.toBe(well);
      await eventually(() => isFound("first"));
      expect(await engineHealth()).toBe(well);
      await write("after the loss");
      await eventually(() => isFound("after the loss"));
    });

    it.each(faults)("loses no write and says so while the server is %s", async (name, begin) => {
      const well = await engineHealth();
      await begin();
      await write(`while ${name}`);
      expect(await reason()).toBe(ErrorReason.DEPENDENCY_UNAVAILABLE);
      expect(await engineHealth()).not.toBe(well);
      expect(await isCaughtUp(sources.database)).toBe(false);
      // The feed's transaction ends, to be begun anew, however long the server is silent.
      await sources.database.transaction((tx) => lockWriters(tx, "search"));
      double.clearFaults();
      await double.comeBack();
      await eventually(() => isFound(`while ${name}`));
      expect(await isFound("first")).toBe(true);
      expect(await engineHealth()).toBe(well);
    });

    it("waits while single lines of an import are refused, and catches up", async () => {
      let refusedCount = 0;
      double.rejectImportLines(({ id }) => {
        if (id !== "refused") return false;
        refusedCount += 1;
        return { status: 400, message: "Refused" };
      });
      await write("refused");
      await write("after it");
      await eventually(async () => refusedCount > 1);
      expect(await isFound("refused")).toBe(false);
      expect(await isCaughtUp(sources.database)).toBe(false);
      double.clearFaults();
      await eventually(async () => (await isFound("refused")) && (await isFound("after it")));
    });

    it("reindexes without a moment of missing answers, and leaves nothing behind", async () => {
      const before = (await find()).totalSize;
      const totals: bigint[] = [];
      const reindexed = new AbortController();
      const asking = (async () => {
        while (!reindexed.signal.aborted) totals.push((await find()).totalSize);
      })();
      for await (const { phase } of running.index.reindex({}, { timeoutMs: 60_000 })) void phase;
      reindexed.abort();
      await asking;
      expect(totals.filter((total) => total !== before)).toEqual([]);
      const headers = { "x-typesense-api-key": double.apiKey };
      const collections = await (await fetch(`${double.url}/collections`, { headers })).json();
      expect(collections).toHaveLength(3);
    });
  },
  ["pglite", "postgres"],
);
