import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Transaction } from "@storefront/database";
import { ServiceError, unavailable } from "@storefront/rpc";

/** Where an engine notes which generation serves. */
export interface LiveNote {
  /** As it is noted now; undefined before the first. */
  read(): Promise<number | undefined>;
  /**
   * Lets another one serve, at one stroke; in the transaction, which may be rolled back, if it is noted in
   * the database.
   */
  write(tx: Transaction | undefined, generation: number): Promise<void>;
  /** Whether an error says that a generation, or a part of it, does not exist. */
  isMissing(error: unknown): boolean;
}

/** Which generation serves, remembered until it turns out to be gone. */
export class LiveGeneration {
  readonly #note: LiveNote;
  #known: number | undefined;

  constructor(note: LiveNote) {
    this.#note = note;
  }

  /** As it is noted now. */
  async read(): Promise<number | undefined> {
    this.#known = await this.#note.read();
    return this.#known;
  }

  /**
   * Asks the live generation. When another process has put a newer one in its place meanwhile and
   * dropped it, or the one that is known has vectors of another model, the newer one is asked, as often
   * as there is one.
   *
   * @throws ServiceError UNAVAILABLE before there is any, and when the engine has lost it.
   */
  async ask<Result>(work: (generation: number) => Promise<Result>): Promise<Result> {
    let asked = this.#known ?? (await this.read());
    if (asked === undefined) throw unavailable("search index", new Error("no generation yet"));
    for (;;) {
      try {
        return await work(asked);
      } catch (error) {
        const isOtherModel = error instanceof OtherModelError;
        if (!isOtherModel && !this.#note.isMissing(error)) throw error;
        const newer = await this.read();
        if (newer === undefined || newer === asked) {
          throw isOtherModel ? error : unavailable("search index", error);
        }
        asked = newer;
      }
    }
  }
}

/** Why a query is not compared with vectors: another model made them, and nearness to them means nothing. */
export class OtherModelError extends ServiceError {
  /**
   * @param model of the query.
   * @param indexModel of the vectors; undefined when there are none.
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
