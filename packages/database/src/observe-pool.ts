import { activeCall } from "@storefront/call-scope";
import {
  Counter,
  durationBucketsSeconds,
  Histogram,
  reportCounter,
  reportGauge,
} from "@storefront/telemetry";
import type { Metrics } from "@storefront/telemetry";
import type {
  ConnectionPool,
  DriverStatement,
  PooledConnection,
  StatementResult,
} from "./connection-pool.ts";
import { DatabaseOverloadedError } from "./database-errors.ts";
import type { DatabaseOverloadedErrorCode } from "./database-errors.ts";
import { lockWritersName } from "./locks.ts";

/** Statements without a name that are told apart: what a transaction begins and ends with. */
const transactionWords = new Set(["begin", "commit", "rollback"]);

/** All other statements without a name: their texts have no bound. */
const unnamed = "unnamed";

/** Labels of what was refused. */
const refusalReasons: Readonly<Record<DatabaseOverloadedErrorCode, string>> = {
  QUEUE_FULL: "queue_full",
  WAITED_TOO_LONG: "waited_too_long",
  TOO_MANY_CONNECTIONS: "too_many_connections",
};

/** The same pool, which counts and times what it is used for. One per registry. */
export function observePool(
  pool: ConnectionPool,
  maxConnections: number,
  metrics: Metrics,
): ConnectionPool {
  const failures = { connect: 0 };
  const times = (name: string, help: string) =>
    new Histogram({ name, help, buckets: durationBucketsSeconds, registers: [metrics] });
  const waits = times(
    "db_pool_wait_duration_seconds",
    "Time until a connection of the pool is had, opening one included.",
  );
  const lockWaits = times(
    "db_writer_lock_wait_seconds",
    "Time until a writer has the lock under which a schema is written.",
  );
  const statements = new Histogram({
    name: "db_statement_duration_seconds",
    help: "Time from sending a statement to its last row, by its name in the code.",
    labelNames: ["statement"],
    buckets: durationBucketsSeconds,
    registers: [metrics],
  });
  const transactions = new Counter({
    name: "db_transactions_total",
    help: "Transactions that have ended: committed or rolled back.",
    labelNames: ["outcome"],
    registers: [metrics],
  });
  for (const outcome of ["committed", "rolled_back"]) transactions.inc({ outcome }, 0);
  const refusals = new Counter({
    name: "db_pool_refusals_total",
    help: "Statements and transactions that were refused because too many waited for a connection.",
    labelNames: ["reason"],
    registers: [metrics],
  });
  for (const reason of Object.values(refusalReasons)) refusals.inc({ reason }, 0);
  reportPool(metrics, pool, maxConnections);
  reportCounter(
    metrics,
    { name: "db_connection_failures_total", help: "Times that no connection could be had." },
    () => [[{}, failures.connect]],
  );

  async function query(
    connection: PooledConnection,
    statement: DriverStatement,
  ): Promise<StatementResult> {
    const { text, name = statement.label } = statement;
    const startedAt = performance.now();
    try {
      const result = await connection.query(statement);
      if (result.command === "COMMIT") transactions.inc({ outcome: "committed" });
      return result;
    } finally {
      const seconds = (performance.now() - startedAt) / 1000;
      statements.observe({ statement: name ?? unnamedLabel(text) }, seconds);
      if (name === lockWritersName) lockWaits.observe(seconds);
      else if (text === "rollback") transactions.inc({ outcome: "rolled_back" });
    }
  }

  return {
    ...pool,
    async connect() {
      const startedAt = performance.now();
      const connection = await pool.connect().catch((error: unknown) => {
        if (error instanceof DatabaseOverloadedError)
          refusals.inc({ reason: refusalReasons[error.code] });
        else if (error !== activeCall()?.abortReason) failures.connect += 1;
        throw error;
      });
      waits.observe((performance.now() - startedAt) / 1000);
      return { ...connection, query: (statement) => query(connection, statement) };
    },
  };
}

function reportPool(metrics: Metrics, pool: ConnectionPool, maxConnections: number): void {
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
