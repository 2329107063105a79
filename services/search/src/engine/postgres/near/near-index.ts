import type { Database, DatabaseLogger, TurnOptions } from "@storefront/database";
import type { VectorSet } from "../../index-documents.ts";
import { findNear } from "./find-near.ts";
import type { NearQuery } from "./find-near.ts";
import { indexVectors } from "./index-vectors.ts";
import {
  dropNearTables,
  nearTablesOf,
  findPgvector,
  installPgvector,
  isLossOfPgvector,
} from "./near-tables.ts";

/**
 * Finds the nearest vectors by pgvector, if the server has it. If it is unavailable, may not be installed, or is lost,
 * all calls are no-ops until the next start.
 */
export class NearIndex {
  readonly #database: Database;
  readonly #logger: DatabaseLogger | undefined;
  #pgvector: Promise<string | undefined> | undefined;
  #isLost = false;

  /** @param logger notified when an available pgvector is not used; default none */
  constructor(database: Database, logger: DatabaseLogger | undefined) {
    this.#database = database;
    this.#logger = logger;
  }

  /** As {@link indexVectors}. */
  async update(generation: number, set: VectorSet, signal?: AbortSignal): Promise<void> {
    await this.#unlessLost(async () => {
      this.#pgvector ??= this.#findOrInstall();
      const schema = await this.#pgvector.catch((error: unknown) => {
        this.#pgvector = undefined;
        throw error;
      });
      if (schema === undefined) return;
      const tables = nearTablesOf(generation, set);
      let hasWarned = false;
      const onWait: TurnOptions["onWait"] = (reason) => {
        // Another process's turn does the same work.
        if (hasWarned || reason === "another turn") return;
        this.#logger?.warn(
          { table: tables.near },
          "vectors are not indexed: their table is in use",
        );
        hasWarned = true;
      };
      await indexVectors(this.#database, tables, schema, { signal, onWait });
    });
  }

  /** As {@link findNear}; also undefined without pgvector. */
  async find(
    generation: number,
    set: VectorSet,
    query: NearQuery,
  ): Promise<ReadonlySet<number> | undefined> {
    return await this.#unlessLost(() =>
      findNear(this.#database, nearTablesOf(generation, set), query),
    );
  }

  /** As {@link dropNearTables}. */
  async drop(generation: number): Promise<void> {
    await dropNearTables(this.#database, generation);
  }

  async #findOrInstall(): Promise<string | undefined> {
    const found = await findPgvector(this.#database);
    if (found !== undefined) return found;
    const err = await installPgvector(this.#database);
    const installed = await findPgvector(this.#database);
    if (err !== undefined && installed === undefined) {
      this.#logger?.warn({ err }, "pgvector may not be installed: vectors are compared in memory");
    }
    return installed;
  }

  async #unlessLost<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#isLost) return undefined;
    try {
      return await work();
    } catch (err) {
      if (!isLossOfPgvector(err)) throw err;
      this.#isLost = true;
      this.#logger?.warn({ err }, "pgvector is gone: vectors are compared in memory");
      return undefined;
    }
  }
}
