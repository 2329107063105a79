import type { Database, Transaction } from "@storefront/database";

/** What an embedder learned, and how much it learned it from. */
export interface Training {
  readonly trained: Uint8Array;
  /** Offers it was learned from. */
  readonly offers: number;
}

/** Trainings kept in memory: of the live generation and of the one that is being built. */
const maxKept = 2;

/** What the embedder learned for each generation. */
export class TrainingStore {
  readonly #database: Database;
  readonly #kept = new Map<bigint, Uint8Array>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Number of the training of a generation; 0 when it has none, or is none. */
  async numberOf(generation: number): Promise<bigint> {
    const row = await this.#database.readOne<{ training: bigint }>(
      {
        name: "search.trainingOfGeneration",
        text: "select training from search.generation where number = $1",
      },
      [generation],
    );
    return row?.training ?? 0n;
  }

  /** What was learned, the same object every time; undefined when the number is 0 or out of date. */
  async read(training: bigint): Promise<Uint8Array | undefined> {
    if (training === 0n) return undefined;
    const kept = this.#kept.get(training);
    if (kept !== undefined) return kept;
    const row = await this.#database.readOne<{ trained: Buffer }>(
      "select trained from search.generation where training = $1",
      [training],
    );
    if (row === undefined) return undefined;
    this.#kept.set(training, row.trained);
    for (const number of [...this.#kept.keys()].slice(0, -maxKept)) this.#kept.delete(number);
    return row.trained;
  }
}

/** Sets what the embedder learned for a generation. */
export async function storeTraining(
  tx: Transaction,
  generation: number,
  { trained, offers }: Training,
): Promise<bigint> {
  const { rows } = await tx.write<{ training: bigint }>(
    `update search.generation
      set trained = $2, trained_offers = $3, training = nextval('search.training')
      where number = $1
      returning training`,
    [generation, trained, offers],
  );
  return rows[0]?.training ?? 0n;
}
