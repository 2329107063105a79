import type { Database } from "@storefront/database";
import { serviceErrorOf } from "./service-error-of.ts";

/**
 * The same database, for handlers: callers are told why it failed as far as they can do something
 * about it, such as to try again. All other errors stay as they are.
 */
export function withServiceErrors(database: Database): Database {
  return {
    driver: database.driver,
    polling: database.polling,
    read: (statement, parameters) => told(database.read(statement, parameters)),
    readOne: (statement, parameters) => told(database.readOne(statement, parameters)),
    write: (statement, parameters) => told(database.write(statement, parameters)),
    transaction: (work, options) => told(database.transaction(work, options)),
    outsideTransaction: (statements, signal) =>
      told(database.outsideTransaction(statements, signal)),
    probe: () => told(database.probe()),
    close: () => database.close(),
  };
}

async function told<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw serviceErrorOf(error) ?? error;
  }
}
