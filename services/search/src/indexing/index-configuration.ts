import type { Database, Queryable } from "@storefront/database";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  askAnew,
  listReplicas,
  newestProjection,
  noteReplica,
  rankConfiguration,
  removeReplicas,
} from "../store/configuration-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";

/** Between notes that this process runs, at least; an idle one looks after its index less often. */
const defaultNoteMs = 60_000;

/** What an {@link IndexConfiguration} is told. */
export interface IndexConfigurationOptions {
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
 * What is older is asked for anew when no process asks for anything newer any more, as after a
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

  /** Whether an index that this process builds is the one to answer. */
  async mayBuild(queryable: Queryable): Promise<boolean> {
    const { signature, projectionVersion } = this.#options;
    if ((await newestProjection(queryable)) > projectionVersion) return false;
    return (await rankConfiguration(queryable, signature)).isNewest;
  }

  /** Asks for this process's index anew, as an operator has said. */
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
