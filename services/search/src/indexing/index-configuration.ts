import type { Database, Queryable, Transaction } from "@storefront/database";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { inWritersTurn } from "../store/in-writers-turn.ts";

/** Shortest heartbeat interval; longer while idle. */
const defaultNoteMs = 60_000;

interface IndexConfigurationOptions {
  readonly database: Database;
  /** Resolves to the requested engine, format and embedding model; constant once it has resolved. */
  readonly signature: () => Promise<string>;
  /** Version of the data that this process writes. */
  readonly projectionVersion: number;
  /** Heartbeat interval in milliseconds; default one minute. */
  readonly noteMs?: number | undefined;
}

/**
 * Whether this process may build the index. Of processes with different configurations, those with the latest requested
 * one build, so that a restarted older process leaves the index unchanged. An older configuration is requested again by
 * command, or when no process with a newer one runs any more, as after a rollback. A process with an older projection
 * version than the tables never builds.
 */
export class IndexConfiguration {
  readonly #options: IndexConfigurationOptions;
  readonly #host = `${hostname()}/`;
  /** Identifies this process: host, process id and a random part. */
  readonly replica = `${this.#host}${process.pid}/${randomUUID().slice(0, 8)}`;
  #notedAtMs = -Infinity;
  /** Consecutive checks that found no process with a newer configuration. */
  #timesAlone = 0;

  constructor(options: IndexConfigurationOptions) {
    this.#options = options;
  }

  /** The requested engine, format and embedding model. */
  async signature(): Promise<string> {
    return await this.#options.signature();
  }

  /** Sends a heartbeat, at most once a minute, and returns whether this process may build. */
  async refresh(): Promise<boolean> {
    const { database, noteMs = defaultNoteMs } = this.#options;
    if (performance.now() - this.#notedAtMs < noteMs) return await this.mayBuild(database);
    const signature = await this.signature();
    const isStarting = this.#notedAtMs === -Infinity;
    const mayBuild = await inWritersTurn(database, async (tx) => {
      await removeReplicas(tx, (await listReplicas(tx)).filter(this.#isGone));
      await storeHeartbeat(tx, this.replica, signature);
      const { isKnown, isNewest, isNewerAlive } = await rankConfiguration(tx, signature);
      this.#timesAlone = isNewest || isNewerAlive ? 0 : this.#timesAlone + 1;
      // Running processes check twice, since newer ones may all be restarting. A starting process has just been
      // configured.
      const isAlone = this.#timesAlone > (isStarting ? 0 : 1);
      if (!isKnown || isAlone) await makeNewest(tx, signature);
      return await this.mayBuild(tx);
    });
    this.#notedAtMs = performance.now();
    return mayBuild;
  }

  /** Whether an index that this process builds may serve. */
  async mayBuild(queryable: Queryable): Promise<boolean> {
    const signature = await this.signature();
    if ((await newestProjection(queryable)) > this.#options.projectionVersion) return false;
    return (await rankConfiguration(queryable, signature)).isNewest;
  }

  /** Makes this process's configuration the latest, by an operator's command. */
  async claim(): Promise<void> {
    const signature = await this.signature();
    await inWritersTurn(this.#options.database, async (tx) => {
      if (!(await rankConfiguration(tx, signature)).isNewest) await makeNewest(tx, signature);
    });
  }

  /** Removes this process from the replicas. */
  async close(): Promise<void> {
    if (this.#notedAtMs === -Infinity) return;
    await removeReplicas(this.#options.database, [this.replica]);
  }

  /** Whether a process of this host has ended; unknown for other hosts. */
  readonly #isGone = (replica: string): boolean => {
    if (!replica.startsWith(this.#host) || replica === this.replica) return false;
    try {
      process.kill(Number(replica.slice(this.#host.length).split("/")[0]), 0);
      return false;
    } catch (error) {
      // EPERM: it runs as another user.
      return error instanceof Error && "code" in error && error.code === "ESRCH";
    }
  };
}

/** A process without a heartbeat for this long was killed. */
const deadAfter = "interval '15 minutes'";

/** A configuration's rank among the requested ones. */
interface ConfigurationRank {
  /** Whether it was ever requested. */
  readonly isKnown: boolean;
  /** Whether none was requested later. */
  readonly isNewest: boolean;
  /** Whether a process with a newer one runs. */
  readonly isNewerAlive: boolean;
}

async function rankConfiguration(
  queryable: Queryable,
  signature: string,
): Promise<ConfigurationRank> {
  const row = await queryable.readOne<ConfigurationRank>(
    `select own.number is not null as "isKnown",
        not exists (select from search.index_configuration
          where number > coalesce(own.number, 0)) as "isNewest",
        exists (select from search.index_replica
          join search.index_configuration as asked using (signature)
          where asked.number > coalesce(own.number, 0)
            and seen_at > clock_timestamp() - ${deadAfter}) as "isNewerAlive"
      from (values ($1::text)) as wanted(signature)
      left join search.index_configuration as own using (signature)`,
    [signature],
  );
  if (row === undefined) throw new Error("one row is always given");
  return row;
}

/** Makes a configuration the latest. */
async function makeNewest(tx: Transaction, signature: string): Promise<void> {
  await tx.write(
    `insert into search.index_configuration (signature, number)
      values ($1, nextval('search.index_configuration_number'))
      on conflict (signature) do update set number = excluded.number`,
    [signature],
  );
}

/** Stores a heartbeat with the requested configuration. */
async function storeHeartbeat(tx: Transaction, replica: string, signature: string): Promise<void> {
  await tx.write(
    `insert into search.index_replica (replica, signature) values ($1, $2)
      on conflict (replica) do update set seen_at = excluded.seen_at`,
    [replica, signature],
  );
  await tx.write(
    `delete from search.index_replica where seen_at < clock_timestamp() - ${deadAfter}`,
  );
}

async function listReplicas(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.read<{ replica: string }>(
    "select replica from search.index_replica order by replica",
  );
  return rows.map(({ replica }) => replica);
}

async function removeReplicas(queryable: Queryable, replicas: readonly string[]): Promise<void> {
  await queryable.write("delete from search.index_replica where replica = any($1::text[])", [
    replicas,
  ]);
}

/** The newest projection version that any process has written; 0 before the first. */
async function newestProjection(queryable: Queryable): Promise<number> {
  const row = await queryable.readOne<{ version: number }>(
    "select coalesce(max(version), 0)::int4 as version from search.feed_lease",
  );
  return row?.version ?? 0;
}
