import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { describeOnEachDatabase, drillsAreLong } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { EndpointStore, entrySource, webhooksMigrations } from "../src/index.ts";
import { startEventLog } from "./support/start-event-log.ts";
import type { EventLog } from "./support/start-event-log.ts";
import { startReceiver } from "./support/start-receiver.ts";
import type { Receiver } from "./support/start-receiver.ts";

const kills = drillsAreLong ? 50 : 20;
const records = Array.from({ length: 10 }, (_, index) => `offer-${index}`);
const sender = join(import.meta.dirname, "support/sender.ts");

describeOnEachDatabase(
  "webhooks of a sender and a receiver that are killed",
  (server) => {
    let database: Database;
    let log: EventLog;
    let receiver: Receiver;
    let process: ReturnType<typeof spawn>;

    beforeAll(async () => {
      database = await openDatabase(server.options());
      await migrate(database, webhooksMigrations);
      [log, receiver] = await Promise.all([startEventLog(), startReceiver()]);
      await new EndpointStore(database).create({ url: receiver.url, events: ["entry"] });
    });
    afterAll(async () => {
      process.kill("SIGKILL");
      await Promise.all([log.close(), receiver.close()]);
      await database.close();
    });

    const start = () => {
      process = spawn(globalThis.process.execPath, [sender, server.options().url, log.url], {
        stdio: ["ignore", "inherit", "inherit"],
      });
    };
    /** Lets the leases and claims of a process that has ended expire. */
    const expire = async () => {
      await database.write("update webhooks.source set lease_expires_at = '-infinity'");
      await database.write(
        "update webhooks.delivery set claimed_until = '-infinity' where status = 'pending'",
      );
    };
    const makeDue = () =>
      database.write(
        "update webhooks.delivery set next_attempt_at = now() where status = 'pending'",
      );
    const write = (version: number) =>
      log.append(
        entrySource,
        ...records.map((contextId) => ({
          _id: `${contextId}-${version}`,
          version,
          metadata: { contextType: "offer", contextId },
        })),
      );

    it("lose no event, and preserve the order of each record", async () => {
      const accepted: { contextId: string; version: number }[] = [];
      receiver.respondWith(({ data }) => {
        // Every seventh response is a failure.
        if (receiver.received.length % 7 === 0) return 503;
        const { version, metadata } = data as {
          version: number;
          metadata: { contextId: string };
        };
        accepted.push({ contextId: metadata.contextId, version });
        return 204;
      });
      start();
      await log.followed(entrySource);
      await vi.waitFor(async () => {
        const row = await database.readOne<{ cursor: string | null }>(
          "select cursor from webhooks.source",
        );
        expect(row?.cursor).not.toBeNull();
      });
      for (let version = 1; version <= kills; version += 1) {
        const before = receiver.received.length;
        write(version);
        // With requests in progress and deliveries that are not yet recorded.
        await vi.waitUntil(() => receiver.received.length > before, { interval: 1 });
        if (version % 3 === 0) await receiver.restart();
        process.kill("SIGKILL");
        await once(process, "exit");
        await expire();
        await makeDue();
        start();
      }
      await vi.waitFor(
        async () => {
          await makeDue();
          const row = await database.readOne<{ delivered: bigint }>(
            "select count(*) filter (where status = 'delivered') as delivered from webhooks.delivery",
          );
          expect(row?.delivered).toBe(BigInt(kills * records.length));
        },
        { timeout: 60_000, interval: 500 },
      );

      for (const record of records) {
        const versions = accepted.flatMap(({ contextId, version }) =>
          contextId === record ? [version] : [],
        );
        // At least once: a repetition follows its first delivery.
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
        expect(new Set(versions).size).toBe(kills);
      }
    });
  },
  ["postgres"],
);
