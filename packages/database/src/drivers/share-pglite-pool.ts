import type { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { openAsBlob } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { Pool } from "pg";
import type { PoolClient } from "pg";
import { ConnectionPool } from "../connection-pool.ts";
import { typeParsers } from "./driver-pool.ts";
import type { DriverConnection, DriverPool } from "./driver-pool.ts";
import { openDataDirectory, startPglite } from "./open-data-directory.ts";

/** A PGlite instance in this process and its pool, which all its users share. */
interface SharedInstance {
  users: number;
  pool: Promise<ConnectionPool>;
  closed: Promise<void> | undefined;
}

/**
 * Instances open in this process, by resolved directory or by name in memory. Module state, because
 * PGlite allows one instance per directory, and the services of a process share it.
 */
const instances = new Map<string, SharedInstance>();

/** Limits of the queue for the connection, which an ingest transaction may use for long. */
const queueLimits = { maxConnections: 1, maxWaiting: 1000, waitTimeoutMs: 30_000 };

/**
 * The pool of the PGlite instance with this key, which is opened for the first user and closed when
 * the last leaves.
 *
 * @param key the resolved directory, or `memory:` with a name.
 * @param snapshot file that one in memory is loaded from, by its first user; default empty.
 * @throws DatabaseSetupError when another process has locked the directory, or a newer version created it.
 */
export async function sharePglitePool(
  key: string,
  snapshot?: string,
): Promise<{ pool: ConnectionPool; leave: () => Promise<void> }> {
  const instance = await join(key, snapshot);
  const pool = await instance.pool;
  return { pool, leave: () => leave(key, instance, pool) };
}

async function join(key: string, snapshot: string | undefined): Promise<SharedInstance> {
  let instance = instances.get(key);
  while (instance?.closed !== undefined) {
    await instance.closed;
    instance = instances.get(key);
  }
  if (instance === undefined) {
    instance = { users: 0, pool: openPool(key, snapshot), closed: undefined };
    instances.set(key, instance);
    instance.pool.catch(() => instances.delete(key));
  }
  instance.users += 1;
  return instance;
}

async function leave(key: string, instance: SharedInstance, pool: ConnectionPool): Promise<void> {
  instance.users -= 1;
  if (instance.users > 0) return;
  instance.closed = pool.end().finally(() => instances.delete(key));
  await instance.closed;
}

async function openPool(key: string, snapshot: string | undefined): Promise<ConnectionPool> {
  const directory = key.startsWith("memory:") ? undefined : await openDataDirectory(key);
  const lite = directory?.lite ?? (await startInMemory(snapshot));
  // No idle timeout: the adapter's connection outlives its client with the session's state.
  const pool = new Pool(
    Object.assign(createPgConfig(lite), {
      idleTimeoutMillis: 0,
      types: typeParsers,
    }),
  );
  // An unhandled `error` would end the process; the next statement fails with the reason.
  pool.on("error", () => undefined);
  const shared: DriverPool = {
    connect: async () => keepOnRelease(await pool.connect()),
    async end() {
      await pool.end();
      await lite.close();
      await directory?.unlock();
    },
    usage: () => ({ openCount: pool.totalCount, idleCount: pool.idleCount }),
    // There is no network that could be silent.
    probe: () => Promise.resolve(),
    dropIdle: () => undefined,
  };
  return new ConnectionPool(shared, queueLimits);
}

/** Loads a snapshot or its publisher's archive: creating the files takes 4 s of processor time. */
async function startInMemory(snapshot: string | undefined): Promise<PGlite> {
  const files = snapshot === undefined ? await dataDir() : await openAsBlob(snapshot);
  return await startPglite({ loadDataDir: files });
}

/**
 * Never closes the client: the adapter reports the end of a closed one to its successor, which then fails
 * ("Connection terminated unexpectedly"); and there is no connection that could break.
 */
function keepOnRelease(client: PoolClient): DriverConnection {
  return {
    query: async (statement) => {
      const result = await client.query(statement);
      // PGlite responds within a turn of the event loop: consecutive statements would block everything else.
      await setImmediate();
      return result;
    },
    cancel: undefined,
    on: (event, listener) => client.on(event, listener),
    off: (event, listener) => client.off(event, listener),
    release: () => client.release(),
  };
}
