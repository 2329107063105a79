import { activeSpan, errorTypeOf } from "@storefront/telemetry";
import type { Span, SpanAttributes } from "@storefront/telemetry";
import type {
  ConnectionPool,
  DriverStatement,
  PooledConnection,
  StatementResult,
} from "./connection-pool.ts";
import type { DatabaseDriver } from "./database.ts";

/**
 * The same pool, in which each statement is a part of the active span: its text and name, never its
 * parameters. Without an active span connections are given as they are.
 *
 * @param attributes of every statement
 */
export function tracePool(pool: ConnectionPool, attributes: SpanAttributes): ConnectionPool {
  return {
    ...pool,
    connect: () => (activeSpan() === undefined ? pool.connect() : connectTraced(pool, attributes)),
  };
}

/** What a database is called in spans, by the semantic conventions. Nothing of its URL that is secret. */
export function databaseAttributes(driver: DatabaseDriver, url: string): SpanAttributes {
  const system = { "db.system.name": "postgresql" };
  if (driver === "pglite" || !URL.canParse(url)) return system;
  const { hostname, port, pathname } = new URL(url);
  return {
    ...system,
    "db.namespace": decoded(pathname.slice(1)) || undefined,
    "server.address": hostname || undefined,
    "server.port": hostname === "" ? undefined : Number(port) || 5432,
  };
}

/** As it is written where it is not percent-encoded rightly, which is for the driver to refuse. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function connectTraced(
  pool: ConnectionPool,
  attributes: SpanAttributes,
): Promise<PooledConnection> {
  const startedAt = performance.now();
  const connection = await pool.connect();
  let waitedMs: number | undefined = performance.now() - startedAt;
  return {
    ...connection,
    query(statement) {
      const parent = activeSpan();
      if (parent === undefined) return connection.query(statement);
      const span = beginStatement(parent, statement, attributes);
      // Of the first statement: the others have the connection already.
      span.set({ "storefront.connection_wait_ms": waitedMs });
      waitedMs = undefined;
      return queryTraced(connection, statement, span);
    },
  };
}

function beginStatement(parent: Span, query: DriverStatement, attributes: SpanAttributes): Span {
  const { text, name = query.label } = query;
  const operation = /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? "";
  return parent.child(name ?? operation, {
    kind: "client",
    attributes: {
      ...attributes,
      "db.operation.name": operation,
      "db.query.summary": name,
      "db.query.text": text,
    },
  });
}

async function queryTraced(
  connection: PooledConnection,
  statement: DriverStatement,
  span: Span,
): Promise<StatementResult> {
  try {
    return await connection.query(statement);
  } catch (error) {
    const code = errorTypeOf(error);
    span.set({ "db.response.status_code": code });
    span.fail(code);
    throw error;
  } finally {
    span.end();
  }
}
