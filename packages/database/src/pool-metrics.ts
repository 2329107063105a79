import {
  activeCall,
  Counter,
  durationBucketsSeconds,
  Histogram,
  reportGauge,
} from "@storefront/process";
import type { Metrics } from "@storefront/process";
import { DatabaseOverloadedError } from "./database-errors.ts";
import type { DatabaseOverloadedErrorCode } from "./database-errors.ts";
import type { DriverStatement, PoolUsage } from "./drivers/driver-pool.ts";
import { lockWritersName } from "./locks.ts";

/** Statements without a name that have a label of their own: those that begin and end a transaction. */
const transactionWords = new Set(["begin", "commit", "rollback"]);

/** Label of all other statements without a name: their texts are unbounded. */
const unnamed = "unnamed";

/** Labels of refusals. */
const refusalReasons: Readonly<Record<DatabaseOverloadedErrorCode, string>> = {
  QUEUE_FULL: "queue_full",
  WAITED_TOO_LONG: "waited_too_long",
  TOO_MANY_CONNECTIONS: "too_many_connections",
};

/** A pool with its queue. */
interface UsedPool {
  usage(): PoolUsage & { readonly waitingCount: number };
}

/** Metrics of a pool. One per registry. */
export class PoolMetrics {
  readonly #waits: Histogram;
  readonly #lockWaits: Histogram;
  readonly #statements: Histogram<"statement">;
  readonly #transactions: Counter<"outcome">;
  readonly #refusals: Counter<"reason">;
  readonly #failures: Counter;

  constructor(metrics: Metrics, pool: UsedPool, maxConnections: number) {
    const registers = [metrics];
    const times = { buckets: durationBucketsSeconds, registers };
    this.#waits = new Histogram({
      name: "db_pool_wait_duration_seconds",
      help: "Time until a connection of the pool is had, opening one included.",
      ...times,
    });
    this.#lockWaits = new Histogram({
      name: "db_writer_lock_wait_seconds",
      help: "Time until a writer has the lock under which a schema is written.",
      ...times,
    });
    this.#statements = new Histogram({
      name: "db_statement_duration_seconds",
      help: "Time from sending a statement to its last row, by its name in the code.",
      labelNames: ["statement"],
      ...times,
    });
    this.#transactions = new Counter({
      name: "db_transactions_total",
      help: "Transactions that have ended: committed or rolled back.",
      labelNames: ["outcome"],
      registers,
    });
    for (const outcome of ["committed", "rolled_back"]) this.#transactions.inc({ outcome }, 0);
    this.#refusals = new Counter({
      name: "db_pool_refusals_total",
      help: "Statements and transactions that were refused because too many waited for a connection.",
      labelNames: ["reason"],
      registers,
    });
    for (const reason of Object.values(refusalReasons)) this.#refusals.inc({ reason }, 0);
    this.#failures = new Counter({
      name: "db_connection_failures_total",
      help: "Times that no connection could be had.",
      registers,
    });
    reportPool(metrics, pool, maxConnections);
  }

  connected(seconds: number): void {
    this.#waits.observe(seconds);
  }

  connectFailed(error: unknown): void {
    if (error instanceof DatabaseOverloadedError) {
      this.#refusals.inc({ reason: refusalReasons[error.code] });
    } else if (error !== activeCall()?.abortReason) this.#failures.inc();
  }

  ended({ text, label, name = label }: DriverStatement, seconds: number): void {
    this.#statements.observe({ statement: name ?? unnamedLabel(text) }, seconds);
    if (name === lockWritersName) this.#lockWaits.observe(seconds);
    else if (text === "rollback") this.#transactions.inc({ outcome: "rolled_back" });
  }

  /** Counts a committed transaction; a server may respond to `commit` with a rollback. */
  committed(): void {
    this.#transactions.inc({ outcome: "committed" });
  }
}

function reportPool(metrics: Metrics, pool: UsedPool, maxConnections: number): void {
  reportGauge(
    metrics,
    {
      name: "db_pool_connections",
      help: "Connections that the pool has open, by whether somebody uses them.",
      labelNames: ["state"],
    },
    () => {
      const { openCount, idleCount } = pool.usage();
      return [
        [{ state: "idle" }, idleCount],
        [{ state: "used" }, openCount - idleCount],
      ];
    },
  );
  reportGauge(
    metrics,
    { name: "db_pool_max_connections", help: "Connections that the pool may have." },
    () => [[{}, maxConnections]],
  );
  reportGauge(
    metrics,
    { name: "db_pool_waiting", help: "Statements and transactions that wait for a connection." },
    () => [[{}, pool.usage().waitingCount]],
  );
}

function unnamedLabel(text: string): string {
  const word = /^[a-z]+/.exec(text)?.[0] ?? "";
  return transactionWords.has(word) ? word : unnamed;
}
