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
    read: (statement, parameters) => translated(database.read(statement, parameters)),
    readOne: (statement, parameters) => translated(database.readOne(statement, parameters)),
    write: (statement, parameters) => translated(database.write(statement, parameters)),
    transaction: (work, options) => translated(database.transaction(work, options)),
    outsideTransaction: (statements, signal) =>
      translated(database.outsideTransaction(statements, signal)),
    probe: () => translated(database.probe()),
    close: () => database.close(),
  };
}

async function translated<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw serviceErrorOf(error) ?? error;
  }
}
