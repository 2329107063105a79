import { create, toBinary } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { lockWriters, migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { describeOnEachDatabase } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { createPostgresEngine, searchService } from "../src/index.ts";
import { requestReindex, ReindexControl } from "../src/indexing/reindex-control.ts";
import { ensureIndex } from "../src/indexing/index-keeper.ts";
import { reindexSteps } from "../src/indexing/reindex-steps.ts";
import type { ReindexDependencies } from "../src/indexing/reindex-steps.ts";
import { sweepGenerations } from "../src/indexing/retire-generations.ts";
import { runReindex } from "../src/indexing/run-reindex.ts";
import { listGenerations } from "../src/store/generation-store.ts";
import { lastReindex } from "../src/store/reindex-job-store.ts";
import { reindexReplica } from "./support/reindex-replica.ts";
import { silentLogger as logger } from "@storefront/service-process/testing";

/** More than two chunks. */
const offers = 1_200;
const childProgram = new URL("support/reindex-until-killed.ts", import.meta.url).pathname;
const { signal } = new AbortController();

describeOnEachDatabase(
  "a reindex",
  (testDatabase) => {
    let database: Database;
    let engine: SearchEngine;
    beforeAll(async () => {
      database = await openDatabase(testDatabase.options());
    });
    afterAll(() => database.close());
    beforeEach(async () => {
      await database.transaction((tx) => tx.script("drop schema if exists search cascade"));
      await migrate(database, searchService.migrations);
      engine = createPostgresEngine(database);
      const ids = Array.from({ length: offers }, (_, n) => `offer-${n}`);
      const records = ids.map((id) =>
        Buffer.from(toBinary(OfferSchema, create(OfferSchema, { id, title: id }))),
      );
      await database.write(
        `insert into search.source_offer (id, item_ids, record)
          select id, '{}', record from unnest($1::text[], $2::bytea[]) as offer(id, record)`,
        [ids, records],
      );
    });

    const replica = (holder: string, members: Partial<SearchEngine> = {}) =>
      reindexReplica(database, holder, { ...engine, ...members });
    const run = async (by: ReindexDependencies) =>
      await runReindex(by, await requestReindex(by, "a test"), signal);
    /** A process that waits before it finishes its build. */
    const pausing = (holder: string) => {
      const [paused, proceed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const by = replica(holder, {
        finishBuilding: async (generation, ending) => {
          paused.resolve();
          await proceed.promise;
          await engine.finishBuilding(generation, ending);
        },
      });
      return { by, paused: paused.promise, proceed: proceed.resolve };
    };
    const control = (by: ReindexDependencies) => new ReindexControl(by, () => {});
    const letTimePass = async () => {
      await database.write("update search.reindex_job set held_until = clock_timestamp()");
      await database.write(
        "update search.generation set touched_at = clock_timestamp() - interval '10 minutes'",
      );
    };
    const liveIndex = async () => {
      const live = await engine.liveGeneration();
      const row = await database.readOne<{ count: number }>(
        `select count(*)::int4 as count from search.g${live}_offer`,
      );
      return { live, offers: row?.count };
    };
    const builtTables = async () =>
      await database.read(
        "select tablename from pg_tables where schemaname = 'search' and tablename like 'g%offer'",
      );

    it("is resumed from its progress after its process was killed", async () => {
      const child = spawn(process.execPath, [childProgram, testDatabase.options().url]);
      const exited = once(child, "exit");
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await exited;
      expect(await lastReindex(database)).toMatchObject({ phase: "offers", written: 500 });
      const written: number[] = [];
      const next = replica("next", {
        write: async (tx, generation, writes) => {
          written.push(writes.offers?.length ?? 0);
          return await engine.write(tx, generation, writes);
        },
      });
      // Others wait while its process may be alive, and later resume it instead of sweeping it.
      expect(await ensureIndex(next, logger, signal)).toBe("inProgress");
      await letTimePass();
      await sweepGenerations(next);
      expect(await ensureIndex(next, logger, signal)).toBe("made");
      expect(written.reduce((sum, count) => sum + count, 0)).toBe(offers - 500);
      expect(await liveIndex()).toEqual({ live: 1, offers });
      expect(await lastReindex(database)).toMatchObject({ phase: "done", written: offers });
    });

    it("is rebuilt when its generation was deleted", async () => {
      const { by, paused } = pausing("first");
      const ending = new AbortController();
      const running = runReindex(by, await requestReindex(by, "a test"), ending.signal);
      await paused;
      await database.write("update search.generation set is_retired = true");
      await letTimePass();
      expect(await ensureIndex(replica("second"), logger, signal)).toBe("made");
      expect(await liveIndex()).toEqual({ live: 2, offers });
      ending.abort();
      void running.catch(() => undefined);
    });

    it("runs once at a time across all processes, and is visible to all of them", async () => {
      const { by, paused, proceed } = pausing("first");
      const running = run(by);
      await paused;
      const other = replica("second");
      const refused = { reason: ErrorReason.REINDEX_UNDER_WAY };
      await expect(control(other).run("somebody").next()).rejects.toMatchObject(refused);
      expect(await ensureIndex(other, logger, signal)).toBe("inProgress");
      expect(await control(other).describe()).toMatchObject({
        phase: "finishing",
        written: offers,
        total: offers,
        startedBy: "a test",
        holder: "first",
      });
      proceed();
      expect(await running).toBe(true);
      expect(await liveIndex()).toEqual({ live: 1, offers });
    });

    it("is not ended by a process that has lost it, also in its last attempt", async () => {
      const [loser, winner] = [pausing("first"), pausing("second")];
      const losing = run(loser.by);
      await loser.paused;
      await database.write("update search.reindex_job set attempts = 4");
      await letTimePass();
      const winning = ensureIndex(winner.by, logger, signal);
      await winner.paused;
      loser.proceed();
      await expect(losing).rejects.toMatchObject({ reason: ErrorReason.REINDEX_UNDER_WAY });
      winner.proceed();
      expect(await winning).toBe("made");
      expect(await liveIndex()).toEqual({ live: 1, offers });
    });

    it("never activates a generation that another one has replaced, however late", async () => {
      const late = replica("late");
      await run(late);
      const known = await lastReindex(database);
      if (known === undefined) throw new Error("the last reindex is unknown");
      await run(replica("second"));
      await expect(reindexSteps.activating(late, known, signal)).rejects.toMatchObject({
        reason: ErrorReason.REINDEX_UNDER_WAY,
      });
      expect(await liveIndex()).toEqual({ live: 2, offers });
    });

    it("reports its failure although other writers delay its end, and ends at the next attempt", async () => {
      const impatient = await openDatabase({ ...testDatabase.options(), lockTimeoutMs: 100 });
      onTestFinished(() => impatient.close());
      const [paused, proceed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const by = reindexReplica(impatient, "first", {
        ...engine,
        finishBuilding: async () => {
          paused.resolve();
          await proceed.promise;
          throw new Error("a fault");
        },
      });
      const failing = run(by);
      await paused.promise;
      await database.write("update search.reindex_job set attempts = 5");
      await database.transaction(async (tx) => {
        await lockWriters(tx, "search");
        proceed.resolve();
        await expect(failing).rejects.toThrow("a fault");
      });
      const { error, holder, endedAt } = (await lastReindex(database)) ?? {};
      expect({ error, holder, endedAt }).toEqual({ error: "Error: a fault" });
      await expect(ensureIndex(by, logger, signal)).rejects.toThrow("a fault");
      expect(await lastReindex(database)).toMatchObject({ phase: "failed", error });
    });

    it("is requested by two at once and run by one of them", async () => {
      const both = [replica("first"), replica("second")];
      const ends = await Promise.allSettled(both.map(run));
      expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await builtTables()).toHaveLength(1);
    });

    it("continues when its caller stops reading", async () => {
      const by = replica("first");
      for await (const { phase } of control(by).run("somebody")) {
        expect(phase).toBe("learning");
        break;
      }
      expect(await ensureIndex(by, logger, signal)).toBe("made");
      expect(await liveIndex()).toEqual({ live: 1, offers });
    });

    it("leaves only the live index when it is cancelled, and is not restarted automatically", async () => {
      await run(replica("first"));
      const { by, paused, proceed } = pausing("first");
      const progress = control(by).run("somebody");
      await progress.next();
      const reporting = Array.fromAsync(progress);
      const working = ensureIndex(by, logger, signal);
      await paused;
      expect(await control(replica("second")).cancel()).toMatchObject({ phase: "cancelled" });
      proceed();
      await Promise.all([
        expect(reporting).rejects.toMatchObject({ reason: ErrorReason.REINDEX_BROKEN_OFF }),
        expect(working).rejects.toMatchObject({ reason: ErrorReason.REINDEX_UNDER_WAY }),
      ]);
      expect(await listGenerations(database)).toMatchObject([{ number: 1, isLive: true }]);
      expect(await builtTables()).toHaveLength(1);
      expect(await control(by).cancel()).toBeUndefined();
      await database.write("update search.generation set signature = 'another'");
      expect(await ensureIndex(by, logger, signal)).toBe("cancelled");
      await run(replica("first"));
      expect(await ensureIndex(by, logger, signal)).toBe("made");
    });
  },
  ["postgres"],
);
