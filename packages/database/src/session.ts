import { activeCall, activeSpan, errorTypeOf, settledWithin } from "@storefront/process";
import type { Call, Span, SpanAttributes } from "@storefront/process";
import { ConnectionSilentError } from "./database-errors.ts";
import type { Queryable, Statement, WriteResult } from "./database.ts";
import type { DriverConnection, DriverStatement, StatementResult } from "./drivers/driver-pool.ts";
import type { PoolMetrics } from "./pool-metrics.ts";
import { parameterText } from "./sql-text.ts";

/** Metrics and trace attributes of the use of a pool. */
export interface PoolUser {
  readonly metrics: PoolMetrics | undefined;
  /** Of the span of every statement. */
  readonly attributes: SpanAttributes;
}

/** How long a cancelled statement may take to end, in milliseconds; then its connection is closed. */
const cancelGraceMs = 1000;

/**
 * A connection in use. Each statement is measured, and is a child of the active span: with its text and
 * name, never its parameters.
 */
export class Session {
  readonly #connection: DriverConnection;
  readonly #user: PoolUser;
  /** For the span of the first statement; the others have the connection already. */
  #waitedMs: number | undefined;

  constructor(connection: DriverConnection, user: PoolUser, waitedMs: number) {
    this.#connection = connection;
    this.#user = user;
    this.#waitedMs = waitedMs;
  }

  /** See {@link DriverConnection}. */
  get cancel(): (() => Promise<void>) | undefined {
    return this.#connection.cancel;
  }

  /** Runs a statement to its end. */
  async query(statement: DriverStatement): Promise<StatementResult> {
    const { metrics } = this.#user;
    const span = this.#beginSpan(statement);
    const startedAt = performance.now();
    try {
      const result = await this.#connection.query(statement);
      if (result.command === "COMMIT") metrics?.committed();
      return result;
    } catch (error) {
      const code = errorTypeOf(error);
      span?.set({ "db.response.status_code": code });
      span?.fail(code);
      throw error;
    } finally {
      metrics?.ended(statement, (performance.now() - startedAt) / 1000);
      span?.end();
    }
  }

  /**
   * Runs a statement for the active call, and ends it with the call.
   *
   * @param timeoutMs see {@link DriverStatement}
   */
  async run(
    statement: Statement,
    parameters: readonly unknown[],
    timeoutMs?: number,
  ): Promise<StatementResult> {
    const values = parameters.map(parameterText);
    const query = { ...queryOf(statement, values), timeoutMs };
    const call = activeCall();
    return call === undefined ? this.query(query) : this.#queryForCall(query, call);
  }

  /**
   * Cancels the statement when the call ends. Settles once the statement has ended and the server has
   * acted on the cancellation, so that neither meets another statement of the connection.
   *
   * @throws ConnectionSilentError when the statement does not end although it was cancelled.
   */
  async #queryForCall(statement: DriverStatement, call: Call): Promise<StatementResult> {
    if (call.abortReason !== undefined) throw call.abortReason;
    const { cancel } = this;
    if (cancel === undefined) return this.query(statement);
    const silence = Promise.withResolvers<never>();
    let cancelling: Promise<void> | undefined;
    const ended = this.query(statement);
    const stopListening = call.onAbort(() => {
      cancelling = cancel();
      void settledWithin(cancelGraceMs, Promise.allSettled([ended, cancelling]), () =>
        silence.reject(new ConnectionSilentError()),
      );
    });
    try {
      return await Promise.race([ended, silence.promise]);
    } finally {
      stopListening();
      if (cancelling !== undefined) await Promise.race([cancelling, silence.promise]);
    }
  }

  #beginSpan({ text, label, name = label }: DriverStatement): Span | undefined {
    const parent = activeSpan();
    if (parent === undefined) return undefined;
    const operation = /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? "";
    const waitedMs = this.#waitedMs;
    this.#waitedMs = undefined;
    return parent.child(name ?? operation, {
      kind: "client",
      attributes: {
        ...this.#user.attributes,
        "db.operation.name": operation,
        "db.query.summary": name,
        "db.query.text": text,
        "storefront.connection_wait_ms": waitedMs,
      },
    });
  }
}

function queryOf(statement: Statement, values: unknown[]): DriverStatement {
  if (typeof statement === "string") return { text: statement, values };
  const { name, text, isPlannedEachTime = false } = statement;
  return isPlannedEachTime ? { label: name, text, values } : { name, text, values };
}

type Run = (statement: Statement, parameters: readonly unknown[]) => Promise<StatementResult>;

/**
 * The three ways to run a statement. The row type is the caller's promise about its own SQL; checking
 * every row would cost too much.
 *
 * @param run.read for statements that change nothing, so that it may retry.
 */
export function queryableOver(run: { read: Run; write: Run }): Queryable {
  return {
    read: async <Row>(statement: Statement, parameters: readonly unknown[] = []) =>
      (await run.read(statement, parameters)).rows as Row[],
    readOne: async <Row>(statement: Statement, parameters: readonly unknown[] = []) =>
      (await run.read(statement, parameters)).rows[0] as Row | undefined,
    async write<Row>(
      statement: Statement,
      parameters: readonly unknown[] = [],
    ): Promise<WriteResult<Row>> {
      const { rows, rowCount } = await run.write(statement, parameters);
      return { rows: rows as Row[], rowCount: rowCount ?? 0 };
    },
  };
}
