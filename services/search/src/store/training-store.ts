import type { Database, Queryable, Transaction } from "@storefront/database";
import { modelOf } from "../domain/index-signature.ts";
import type { VectorSet, VectorSpace } from "../engine/index-documents.ts";
import { silence } from "./generation-store.ts";

export interface Training {
  readonly trained: Uint8Array;
  /** Number of offers that it was trained on. */
  readonly offers: number;
}

/** The live vectors of a generation. */
interface LiveVectors {
  /** The embedder's name of it. */
  readonly model: string;
  readonly space: VectorSpace;
}

/** Cached trainings: of the live generation and of a retraining. */
const maxCached = 2;

/** Trainings of the embedder by generation. */
export class TrainingStore {
  readonly #database: Database;
  readonly #cached = new Map<bigint, Uint8Array>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The live vectors of a generation; undefined when it has none or is unknown. */
  async liveVectors(generation: number): Promise<LiveVectors | undefined> {
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

  /** A training, the same object every time; undefined when the number is 0 or outdated. */
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

/** Stores the training of a generation without vectors. */
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
 * Begins to remake the vectors of a generation, in the set that is not live.
 *
 * @returns undefined when the generation is missing or another process retrains
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

/** Makes the new vectors live. False when another training replaced them. */
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

/** Stores a heartbeat of a training. False when its vectors are no longer needed. */
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
