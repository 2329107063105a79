import { DatabaseUnavailableError } from "@storefront/database";
import type { Database } from "@storefront/database";
import { unavailable } from "@storefront/rpc";

/**
 * The same database, for handlers: that it cannot be reached is told to callers as UNAVAILABLE with
 * the dependency `database`. All other errors stay as they are.
 */
export function withServiceErrors(database: Database): Database {
  return {
    driver: database.driver,
    read: (statement, parameters) => told(database.read(statement, parameters)),
    readOne: (statement, parameters) => told(database.readOne(statement, parameters)),
    write: (statement, parameters) => told(database.write(statement, parameters)),
    transaction: (work, options) => told(database.transaction(work, options)),
    outsideTransaction: (statements) => told(database.outsideTransaction(statements)),
    probe: () => told(database.probe()),
    close: () => database.close(),
  };
}

async function told<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DatabaseUnavailableError ? unavailable("database", error) : error;
  }
}
