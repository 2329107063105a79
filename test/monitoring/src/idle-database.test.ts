import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { catalogService } from "@storefront/service-catalog";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ingest } from "./make-traffic.ts";
import { startService, startServices } from "./start-services.ts";

const idle = { afterMs: 1000, pollMs: 86_400_000 };

/** Longer than any interval between queries of a database in use: heartbeats, probes of the gRPC port. */
const quietSeconds = 6;
const within = { timeout: 60_000, interval: 500 };

describeOnEachMigratedDatabase(
  "services on a database that is suspended while idle",
  (database) => {
    const stack = new AsyncDisposableStack();
    let admin: Database;
    let urls: readonly string[];
    let replicaPort: number;
    beforeAll(async () => {
      const options = { ...database.options(), autosuspend: true, idle };
      admin = stack.adopt(await openDatabase(database.options()), (used) => used.close());
      const services = stack.adopt(await startServices(options), (used) => used.close());
      // No service follows it.
      const replica = await startService(catalogService, options, {});
      stack.defer(() => replica.close());
      urls = Object.values(services.urls);
      replicaPort = replica.server.grpcPort;
    });
    afterAll(() => stack.disposeAsync());

    async function probe(): Promise<void> {
      const pages = urls.flatMap((url) => [`${url}/readyz`, `${url}/metrics`]);
      const health = urls.map((url) =>
        fetch(`${url}/storefront.health.v1.HealthService/CheckHealth`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        }),
      );
      const responses = await Promise.all([...pages.map((page) => fetch(page)), ...health]);
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      for (const response of responses) await response.arrayBuffer();
    }

    const isQuiet = () =>
      vi.waitUntil(async () => {
        await probe();
        const row = await admin.readOne<{ is_quiet: boolean }>(
          `select max(query_start) < clock_timestamp() - make_interval(secs => $1) as is_quiet
            from pg_stat_activity
            where datname = current_database() and application_name <> 'storefront'`,
          [quietSeconds],
        );
        return row?.is_quiet;
      }, within);

    async function followersBehind(): Promise<bigint | undefined> {
      const row = await admin.readOne<{ behind: bigint }>(
        `select count(*) as behind
          from unnest(array['changelog', 'search']) as follower
          left join (
            select 'changelog' as name, sequence from changelog.feed_cursor where feed = 'catalog'
            union all
            select 'search', sequence from search.feed_cursor where feed = 'catalog'
          ) as cursor on cursor.name = follower
          where cursor.sequence is distinct from (select max(seq) from catalog.change_log)`,
      );
      return row?.behind;
    }

    it("send it no queries while they follow each other and are probed", async () => {
      const areReady = async () => {
        const responses = await Promise.all(urls.map((url) => fetch(`${url}/readyz`)));
        return responses.every(({ ok }) => ok);
      };
      await vi.waitUntil(areReady, within);
      expect(await isQuiet()).toBe(true);
    });

    it("notify followers at once of writes of another replica, and are quiet again", async () => {
      await ingest(replicaPort);
      await vi.waitFor(async () => expect(await followersBehind()).toBe(0n), within);
      expect(await isQuiet()).toBe(true);
    });
  },
  ["postgres"],
);
