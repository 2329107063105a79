import type { Database, Queryable, Transaction } from "@storefront/database";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { inWritersTurn } from "../store/in-writers-turn.ts";

/** Between notes that this process runs, at least; an idle one looks after its index less often. */
const defaultNoteMs = 60_000;

/** What an {@link IndexConfiguration} is told. */
interface IndexConfigurationOptions {
  readonly database: Database;
  /** Engine, format and embedding model that this process asks for. */
  readonly signature: string;
  /** Of what this process writes. */
  readonly projectionVersion: number;
  /** How often it is noted that this process runs, in milliseconds; default a minute. */
  readonly noteMs?: number | undefined;
}

/**
 * Whether this process may build the index. Of processes that ask for different ones, those do that ask for
 * what was asked for last, so that one that restarts with what is older leaves the index as it is.
 * What is older is asked for again when no process asks for anything newer any more, as after a
 * rollback, or by command. A projection that is older than one that has written never builds.
 */
export class IndexConfiguration {
  readonly #options: IndexConfigurationOptions;
  readonly #host = `${hostname()}/`;
  /** This process, as it names itself to others: host, process number and a part of its own. */
  readonly replica = `${this.#host}${process.pid}/${randomUUID().slice(0, 8)}`;
  #notedAtMs = -Infinity;
  /** How often in a row no process with a newer one was found. */
  #timesAlone = 0;

  constructor(options: IndexConfigurationOptions) {
    this.#options = options;
  }

  /** Notes that this process runs, at most once a minute, and gives whether it may build. */
  async refresh(): Promise<boolean> {
    const { database, signature, noteMs = defaultNoteMs } = this.#options;
    if (performance.now() - this.#notedAtMs < noteMs) return await this.mayBuild(database);
    const isStarting = this.#notedAtMs === -Infinity;
    const mayBuild = await inWritersTurn(database, async (tx) => {
      await removeReplicas(tx, (await listReplicas(tx)).filter(this.#isGone));
      await noteReplica(tx, this.replica, signature);
      const { isKnown, isNewest, isNewerAlive } = await rankConfiguration(tx, signature);
      this.#timesAlone = isNewest || isNewerAlive ? 0 : this.#timesAlone + 1;
      // The newer ones may all be restarting; of what starts somebody has just said how it is to be.
      const isAlone = this.#timesAlone > (isStarting ? 0 : 1);
      if (!isKnown || isAlone) await askAnew(tx, signature);
      return await this.mayBuild(tx);
    });
    this.#notedAtMs = performance.now();
    return mayBuild;
  }

  /** Whether an index that this process builds is the one to serve. */
  async mayBuild(queryable: Queryable): Promise<boolean> {
    const { signature, projectionVersion } = this.#options;
    if ((await newestProjection(queryable)) > projectionVersion) return false;
    return (await rankConfiguration(queryable, signature)).isNewest;
  }

  /** Asks for this process's index again, as an operator has said. */
  async claim(): Promise<void> {
    const { database, signature } = this.#options;
    await inWritersTurn(database, async (tx) => {
      if (!(await rankConfiguration(tx, signature)).isNewest) await askAnew(tx, signature);
    });
  }

  /** Notes that this process ends. */
  async close(): Promise<void> {
    if (this.#notedAtMs === -Infinity) return;
    await removeReplicas(this.#options.database, [this.replica]);
  }

  /** Whether a process of this host is known not to run; of other hosts nothing is known. */
  readonly #isGone = (replica: string): boolean => {
    if (!replica.startsWith(this.#host) || replica === this.replica) return false;
    try {
      process.kill(Number(replica.slice(this.#host.length).split("/")[0]), 0);
      return false;
    } catch (error) {
      // EPERM: it runs, as another user's.
      return error instanceof Error && "code" in error && error.code === "ESRCH";
    }
  };
}

/** A process that was not seen for so long, and did not say that it ends, was killed. */
const deadAfter = "interval '15 minutes'";

/** A configuration of the index, beside the others that were asked for. */
interface ConfigurationRank {
  /** Whether it was ever asked for. */
  readonly isKnown: boolean;
  /** Whether none was asked for later. */
  readonly isNewest: boolean;
  /** Whether a process that asks for a newer one runs. */
  readonly isNewerAlive: boolean;
}

/** Where a configuration stands among those that were asked for. */
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

/** Lets a configuration be the newest. */
async function askAnew(tx: Transaction, signature: string): Promise<void> {
  await tx.write(
    `insert into search.index_configuration (signature, number)
      values ($1, nextval('search.index_configuration_number'))
      on conflict (signature) do update set number = excluded.number`,
    [signature],
  );
}

/** Notes that a process runs, and what it asks for. */
async function noteReplica(tx: Transaction, replica: string, signature: string): Promise<void> {
  await tx.write(
    `insert into search.index_replica (replica, signature) values ($1, $2)
      on conflict (replica) do update set seen_at = excluded.seen_at`,
    [replica, signature],
  );
  await tx.write(
    `delete from search.index_replica where seen_at < clock_timestamp() - ${deadAfter}`,
  );
}

/** The processes that are noted. */
async function listReplicas(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.read<{ replica: string }>(
    "select replica from search.index_replica order by replica",
  );
  return rows.map(({ replica }) => replica);
}

/** Forgets processes. */
async function removeReplicas(queryable: Queryable, replicas: readonly string[]): Promise<void> {
  await queryable.write("delete from search.index_replica where replica = any($1::text[])", [
    replicas,
  ]);
}

/** The newest version of the projection that any process has written; 0 before the first. */
async function newestProjection(queryable: Queryable): Promise<number> {
  const row = await queryable.readOne<{ version: number }>(
    "select coalesce(max(version), 0)::int4 as version from search.feed_lease",
  );
  return row?.version ?? 0;
}
