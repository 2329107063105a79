import type { SearchObservation } from "@storefront/contracts/search/v1/search_ingest_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { once, refusalOf } from "@storefront/service-process/testing/calls";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, startSearch, startSources } from "./support/search-fixture.ts";
import type { RunningSearch, Sources } from "./support/search-fixture.ts";

describeOnEachMigratedDatabase("saved queries", (testDatabase) => {
  let sources: Sources;
  let running: RunningSearch;
  beforeAll(async () => {
    sources = await startSources(testDatabase.options());
    await sources.database.write(
      `insert into search.saved_query (id, query, last_used_on)
        select 'expired ' || n, '', current_date - 100 from generate_series(1, 1500) as n`,
    );
    running = await startSearch(sources);
    await eventually(async () => {
      const asked = running.search.searchOffers({ region: "US" });
      return await asked.then(
        () => true,
        () => false,
      );
    });
  });
  afterAll(async () => {
    await running.close();
    await sources.close();
  });

  const save = async (title: string) => {
    const { queryId } = await running.search.saveQuery({ query: { title } });
    return queryId;
  };
  const lastUsedBefore = async (queryId: string, days: number) => {
    await sources.database.write(
      `update search.saved_query
        set last_used_on = (now() at time zone 'utc')::date - $2::int where id = $1`,
      [queryId, days],
    );
  };
  const rowOf = async (queryId: string) =>
    await sources.database.readOne<{ days: number; version: string }>(
      `select (now() at time zone 'utc')::date - last_used_on as days, xmin::text as version
        from search.saved_query where id = $1`,
      [queryId],
    );
  const reasonOf = async (call: Promise<unknown>) => (await refusalOf(call)).reason;

  it("are deleted in the background when they have expired, however many", async () => {
    const remaining = async () =>
      await sources.database.read("select 1 from search.saved_query where id like 'expired %'");
    await expect.poll(remaining, { timeout: 10_000 }).toEqual([]);
  });

  it("are stored for 90 days after the last use of any kind", async () => {
    const { search } = running;
    const queryId = await save("kept");
    const uses = [
      () => search.getSavedQuery({ queryId }),
      () => search.saveQuery({ query: { title: "kept" } }),
      () => search.countFacets({ queryId, region: "US" }),
    ];
    for (const use of uses) {
      await lastUsedBefore(queryId, 89);
      await use();
      expect(await rowOf(queryId)).toMatchObject({ days: 0 });
    }
    await lastUsedBefore(queryId, 90);
    const { QUERY_NOT_FOUND } = ErrorReason;
    expect(await reasonOf(search.getSavedQuery({ queryId }))).toBe(QUERY_NOT_FOUND);
    expect(await reasonOf(search.countFacets({ queryId, region: "US" }))).toBe(QUERY_NOT_FOUND);
    expect(await save("kept")).toBe(queryId);
    expect(await search.getSavedQuery({ queryId })).toHaveProperty("query.title", "kept");
  });

  it("are written at most once a day, however often they are used", async () => {
    const queryId = await save("often");
    const before = await rowOf(queryId);
    await running.search.getSavedQuery({ queryId });
    await save("often");
    expect(await rowOf(queryId)).toEqual(before);
  });

  it("are not exported and do not block an import once they have expired", async () => {
    const queryId = await save("expired");
    await lastUsedBefore(queryId, 90);
    const exported = await Array.fromAsync(running.ingest.exportSearch({}));
    const ids = exported.flatMap(({ observations }) =>
      observations.map(({ record }) => record.value?.id),
    );
    expect(ids).not.toContain(queryId);
    const record = {
      case: "savedQuery" as const,
      value: { id: queryId, query: { title: "anew" } },
    };
    await Array.fromAsync(running.ingest.ingestSearch(once({ observations: [{ record }] })));
    const { query } = await running.search.getSavedQuery({ queryId });
    expect(query?.title).toBe("anew");
  });

  it("are exported, and imported under their former ids", async () => {
    const { queryId } = await running.search.saveQuery({ query: { title: "given" } });
    const observations: SearchObservation[] = [];
    for await (const batch of running.ingest.exportSearch({}))
      observations.push(...batch.observations);
    const exported = observations.find(({ record }) => record.value?.id === queryId);
    expect(exported?.record.value?.query).toMatchObject({ title: "given" });

    const saved = (id: string, title: string) => ({
      record: { case: "savedQuery" as const, value: { id, query: { title } } },
    });
    const id = "a".repeat(32);
    const batch = [
      ...observations,
      saved(id, "of an earlier form"),
      saved(id, "of an earlier form"),
      saved(id, "another"),
      saved("short", "x"),
      saved(id, "\0"),
    ];
    const [response] = await Array.fromAsync(
      running.ingest.ingestSearch(once({ observations: batch })),
    );
    const { WRITTEN, UNCHANGED, STALE, REJECTED } = IngestOutcome;
    expect(response?.outcomes).toEqual([
      ...observations.map(() => UNCHANGED),
      WRITTEN,
      UNCHANGED,
      STALE,
      REJECTED,
      REJECTED,
    ]);
    expect(response?.rejections.map(({ field }) => field)).toEqual(["id", "query.title"]);
    const { query } = await running.search.getSavedQuery({ queryId: id });
    expect(query?.title).toBe("of an earlier form");
  });

  it("have at most 8 KiB in their canonical form", async () => {
    const { search } = running;
    const tagIds = (count: number) =>
      Array.from({ length: count }, (_none, index) => String(index).padEnd(100, "x"));
    const fits = { tagIds: [...tagIds(80), ...tagIds(20)] };
    expect(await search.saveQuery({ query: fits })).toHaveProperty("queryId");
    const tooLong = search.saveQuery({ query: { tagIds: tagIds(81) } });
    expect(await reasonOf(tooLong)).toBe(ErrorReason.QUERY_TOO_LONG);
  });
});
