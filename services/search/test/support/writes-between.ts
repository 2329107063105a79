import type { Database, Statement } from "@storefront/database";

/** A database that lets others write before any of its reads. */
export function withWritesBetween(database: Database, write: () => Promise<void>): Database {
  return {
    driver: database.driver,
    polling: database.polling,
    async read<Row>(statement: Statement, parameters?: readonly unknown[]) {
      await write();
      return await database.read<Row>(statement, parameters);
    },
    async readOne<Row>(statement: Statement, parameters?: readonly unknown[]) {
      await write();
      return await database.readOne<Row>(statement, parameters);
    },
    write: (statement, parameters) => database.write(statement, parameters),
    transaction: (work, options) => database.transaction(work, options),
    outsideTransaction: (statements, signal) => database.outsideTransaction(statements, signal),
    probe: () => database.probe(),
    close: () => database.close(),
  };
}
