import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Transaction } from "@storefront/database";
import { ServiceError, unavailable } from "@storefront/rpc";

/** An engine's record of the live generation. */
export interface LiveRecord {
  /** Undefined before the first. */
  read(): Promise<number | undefined>;
  /** Makes another generation live atomically; with a transaction if the record is in the database. */
  write(tx: Transaction | undefined, generation: number): Promise<void>;
  /** Whether an error means that a generation, or a part of it, does not exist. */
  isMissing(error: unknown): boolean;
}

/** The live generation, cached until it is found missing. */
export class LiveGeneration {
  readonly #record: LiveRecord;
  #known: number | undefined;

  constructor(record: LiveRecord) {
    this.#record = record;
  }

  /** Reads it and updates the cache. */
  async read(): Promise<number | undefined> {
    this.#known = await this.#record.read();
    return this.#known;
  }

  /**
   * Calls `work` with the live generation. When that was replaced and dropped, or has vectors of another model, calls
   * it again with the newer one, as often as there is one.
   *
   * @throws ServiceError UNAVAILABLE without a generation, and when the engine has lost it.
   */
  async ask<Result>(work: (generation: number) => Promise<Result>): Promise<Result> {
    let tried = this.#known ?? (await this.read());
    if (tried === undefined) throw unavailable("search index", new Error("no generation yet"));
    for (;;) {
      try {
        return await work(tried);
      } catch (error) {
        const isOtherModel = error instanceof OtherModelError;
        if (!isOtherModel && !this.#record.isMissing(error)) throw error;
        const newer = await this.read();
        if (newer === undefined || newer === tried) {
          throw isOtherModel ? error : unavailable("search index", error);
        }
        tried = newer;
      }
    }
  }
}

/** The vectors are of another model, so that distances to the query mean nothing. */
export class OtherModelError extends ServiceError {
  /**
   * @param model of the query
   * @param indexModel of the vectors; undefined when there are none
   */
  constructor(model: string, indexModel: string | undefined) {
    super({
      code: Code.Unavailable,
      reason: ErrorReason.EMBEDDING_MODEL_DIFFERS,
      message: `the index has vectors of ${indexModel ?? "no model"}, not of ${model}`,
      metadata: { model, indexModel: indexModel ?? "" },
    });
  }
}
