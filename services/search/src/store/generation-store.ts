import type { Queryable, Transaction } from "@storefront/database";
import { modelOf } from "../domain/index-signature.ts";
import type { VectorKind, VectorSet, VectorSpace } from "../engine/index-documents.ts";

/** A generation of the index that receives writes. */
export interface Generation {
  readonly number: number;
  /** Engine, format and embedding model. */
  readonly signature: string;
  /** Of the live vectors. */
  readonly space: VectorSpace;
  /** Of the vectors that a retraining makes. */
  readonly nextSpace: VectorSpace | undefined;
  /** Number of offers at that training. */
  readonly trainedOffers: number;
  readonly isLive: boolean;
  /** Whether its builder or retrainer sent a heartbeat within {@link silence}. */
  readonly isTouched: boolean;
}

interface Row {
  number: number;
  signature: string;
  training: bigint;
  vector_set: VectorSet;
  next_training: bigint | null;
  trained_offers: number;
  is_live: boolean;
  is_touched: boolean;
}

/** A builder or retrainer without a heartbeat for this long is dead. */
export const silence = "interval '60 seconds'";

const columns = `number, signature, training, vector_set, next_training, trained_offers, is_live,
  touched_at >= clock_timestamp() - ${silence} as is_touched`;

/** The generations that receive writes, oldest first. */
export async function listGenerations(queryable: Queryable): Promise<Generation[]> {
  const rows = await queryable.read<Row>({
    name: "search.listGenerations",
    text: `select ${columns} from search.generation where not is_retired order by number`,
  });
  return rows.map((row) => ({
    number: row.number,
    signature: row.signature,
    space: { set: row.vector_set, training: row.training },
    nextSpace:
      row.next_training === null
        ? undefined
        : { set: row.vector_set === 0 ? 1 : 0, training: row.next_training },
    trainedOffers: row.trained_offers,
    isLive: row.is_live,
    isTouched: row.is_touched,
  }));
}

/** An unused number, above that of the live generation. */
export async function nextGeneration(tx: Transaction, live: number | undefined): Promise<number> {
  // A new database may find an index of an earlier one in the engine.
  const row = await tx.readOne<{ number: number }>(
    `select setval('search.generation_number',
      greatest(nextval('search.generation_number'), $1::int8 + 1))::int4 as number`,
    [live ?? 0],
  );
  if (row === undefined) throw new Error("a sequence gives a number");
  return row.number;
}

/** Adds a generation, not live yet; it receives writes from the next transaction on. */
export async function addGeneration(
  tx: Transaction,
  { number, signature }: Pick<Generation, "number" | "signature">,
): Promise<void> {
  await tx.write(
    "insert into search.generation (number, signature, is_live) values ($1, $2, false)",
    [number, signature],
  );
}

/** Stores a heartbeat of a build. False when the build was abandoned. */
export async function touchGeneration(tx: Transaction, number: number): Promise<boolean> {
  const { rowCount } = await tx.write(
    `update search.generation set touched_at = clock_timestamp()
      where number = $1 and not is_retired`,
    [number],
  );
  return rowCount > 0;
}

/** Marks a generation live and retires earlier ones; no-op when it is retired itself. */
export async function markLive(tx: Transaction, number: number): Promise<void> {
  const { rowCount } = await tx.write(
    "update search.generation set is_live = true where number = $1 and not is_retired",
    [number],
  );
  if (rowCount === 0) return;
  await tx.write(
    "update search.generation set is_live = false, is_retired = true where number < $1",
    [number],
  );
}

/**
 * Retires generations without a heartbeat, except the engine's live one and that of the current reindex, which can be
 * resumed.
 */
export async function retireAbandoned(tx: Transaction, live: number | undefined): Promise<void> {
  await tx.write(
    `update search.generation set is_retired = true
      where not is_live and touched_at < clock_timestamp() - ${silence}
        and number is distinct from $1::int4
        and not exists (select from search.reindex_job as job
          where job.generation = generation.number and job.ended_at is null)`,
    [live],
  );
}

/** Generations that the engine must drop. */
export async function listRetired(queryable: Queryable): Promise<number[]> {
  const rows = await queryable.read<{ number: number }>(
    "select number from search.generation where is_retired order by number",
  );
  return rows.map(({ number }) => number);
}

/** Deletes a generation that the engine has dropped. */
export async function removeGeneration(queryable: Queryable, number: number): Promise<void> {
  await queryable.write("delete from search.generation where number = $1", [number]);
}

/** A set of vectors of a generation. */
export interface VectorTarget {
  readonly generation: number;
  readonly space: VectorSpace;
}

/** The distinct kinds of vectors of these generations. */
export function vectorKinds(generations: readonly Generation[]): VectorKind[] {
  const kinds = new Map<string, VectorKind>();
  for (const generation of generations) {
    const { signature } = generation;
    if (modelOf(signature) === undefined) continue;
    for (const { training } of spacesOf(generation)) {
      kinds.set(`${training} ${signature}`, { signature, training });
    }
  }
  return [...kinds.values()];
}

/** Sets that store vectors of a kind. */
export function vectorTargets(
  generations: readonly Generation[],
  { signature, training }: VectorKind,
): VectorTarget[] {
  return generations
    .filter((each) => each.signature === signature)
    .flatMap((each) => spacesOf(each).map((space) => ({ generation: each.number, space })))
    .filter(({ space }) => space.training === training);
}

/** The live vectors' space, and that of a retraining. */
function spacesOf({ space, nextSpace }: Generation): VectorSpace[] {
  return nextSpace === undefined ? [space] : [space, nextSpace];
}
