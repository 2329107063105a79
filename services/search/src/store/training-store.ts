import type { Database, Queryable, Transaction } from "@storefront/database";
import { modelOf } from "../domain/index-signature.ts";
import type { VectorSet, VectorSpace } from "../engine/index-documents.ts";
import { silence } from "./generation-store.ts";

/** What an embedder learned, and how much it learned it from. */
export interface Training {
  readonly trained: Uint8Array;
  /** Offers it was learned from. */
  readonly offers: number;
}

/** What the vectors of a generation that serve were made with. */
export interface AnsweringVectors {
  /** The embedder's name of it. */
  readonly model: string;
  readonly space: VectorSpace;
}

/** Trainings cached in memory: of the live generation and of what is being made. */
const maxCached = 2;

/** What the embedder learned for each generation. */
export class TrainingStore {
  readonly #database: Database;
  readonly #cached = new Map<bigint, Uint8Array>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Which vectors of a generation serve; undefined when it has none, or nothing is known of it. */
  async answering(generation: number): Promise<AnsweringVectors | undefined> {
    const row = await this.#database.readOne<{
      signature: string;
      training: bigint;
      vector_set: VectorSet;
    }>(
      {
        name: "search.answeringVectors",
        text: "select signature, training, vector_set from search.generation where number = $1",
      },
      [generation],
    );
    if (row === undefined) return undefined;
    const model = modelOf(row.signature);
    const space = { set: row.vector_set, training: row.training };
    return model === undefined ? undefined : { model, space };
  }

  /** What was learned, the same object every time; undefined when the number is 0 or out of date. */
  async read(training: bigint): Promise<Uint8Array | undefined> {
    if (training === 0n) return undefined;
    const cached = this.#cached.get(training);
    if (cached !== undefined) return cached;
    const row = await this.#database.readOne<{ trained: Buffer }>(
      `select case when training = $1 then trained else next_trained end as trained
        from search.generation where training = $1 or next_training = $1`,
      [training],
    );
    if (row === undefined) return undefined;
    this.#cached.set(training, row.trained);
    for (const number of [...this.#cached.keys()].slice(0, -maxCached)) this.#cached.delete(number);
    return row.trained;
  }
}

/** Sets what the embedder learned for a generation that has no vectors yet. */
export async function storeTraining(
  tx: Transaction,
  generation: number,
  { trained, offers }: Training,
): Promise<void> {
  await tx.write(
    `update search.generation
      set trained = $2, trained_offers = $3, training = nextval('search.training')
      where number = $1`,
    [generation, trained, offers],
  );
}

/**
 * Begins to make the vectors of a generation again, in the set that does not serve.
 *
 * @returns undefined when the generation is gone or another process is at it.
 */
export async function beginRetraining(
  tx: Transaction,
  generation: number,
  { trained, offers }: Training,
): Promise<VectorSpace | undefined> {
  const { rows } = await tx.write<{ next_training: bigint; vector_set: VectorSet }>(
    `update search.generation
      set next_trained = $2, next_trained_offers = $3,
        next_training = nextval('search.training'), touched_at = clock_timestamp()
      where number = $1 and not is_retired
        and (next_training is null or touched_at < clock_timestamp() - ${silence})
      returning next_training, vector_set`,
    [generation, trained, offers],
  );
  const [row] = rows;
  return row && { set: row.vector_set === 0 ? 1 : 0, training: row.next_training };
}

/** Lets the vectors made again serve. False when they are another training's by now. */
export async function finishRetraining(
  tx: Transaction,
  generation: number,
  { set, training }: VectorSpace,
): Promise<boolean> {
  const { rowCount } = await tx.write(
    `update search.generation
      set training = next_training, trained = next_trained, trained_offers = next_trained_offers,
        vector_set = $3, next_training = null, next_trained = null, next_trained_offers = null
      where number = $1 and not is_retired and next_training = $2`,
    [generation, training, set],
  );
  return rowCount > 0;
}

/** Says that vectors are being made. False when those of this training are not needed any more. */
export async function touchTraining(
  queryable: Queryable,
  { generation, space: { training } }: { generation: number; space: VectorSpace },
): Promise<boolean> {
  const { rowCount } = await queryable.write(
    `update search.generation set touched_at = clock_timestamp()
      where number = $1 and not is_retired and $2 in (training, next_training)`,
    [generation, training],
  );
  return rowCount > 0;
}
