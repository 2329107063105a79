import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { Queryable } from "./database.ts";

/**
 * A Kysely query builder whose queries run on the database or in the transaction. Selects have the
 * database's retry. Kysely's own transactions and streams are not there: use
 * `Database.transaction` and build on what it gives.
 */
export function kyselyOf<Tables>(queryable: Queryable): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new QueryableDriver(queryable),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

class QueryableDriver extends DummyDriver {
  readonly #connection: DatabaseConnection;

  constructor(queryable: Queryable) {
    super();
    this.#connection = connectionOver(queryable);
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection);
  }

  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error("Use Database.transaction instead of Kysely's."));
  }
}

function connectionOver(queryable: Queryable): DatabaseConnection {
  return {
    async executeQuery<Row>({ query, sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      if (query.kind === "SelectQueryNode") {
        return { rows: await queryable.read<Row>(sql, parameters) };
      }
      const { rows, rowCount } = await queryable.write<Row>(sql, parameters);
      return { rows, numAffectedRows: BigInt(rowCount) };
    },
    streamQuery() {
      throw new Error("Rows are not streamed; page through them by key.");
    },
  };
}
