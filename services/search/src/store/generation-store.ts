import type { Queryable, Transaction } from "@storefront/database";

/** A generation of the index that takes writes. */
export interface Generation {
  readonly number: number;
  /** Engine, format and embedding model that it was made with. */
  readonly signature: string;
  /** Which training its vectors are made with; 0 when the embedder needs none. */
  readonly training: bigint;
  /** Offers that were there at that training. */
  readonly trainedOffers: number;
  readonly isLive: boolean;
}

interface Row {
  number: number;
  signature: string;
  training: bigint;
  trained_offers: number;
  is_live: boolean;
}

/** A build that has said nothing for so long belongs to a process that died. */
const abandonedAfter = "interval '60 seconds'";

const columns = "number, signature, training, trained_offers, is_live";

/** The generations that take writes, oldest first. */
export async function listGenerations(queryable: Queryable): Promise<Generation[]> {
  const rows = await queryable.read<Row>({
    name: "search.listGenerations",
    text: `select ${columns} from search.generation order by number`,
  });
  return rows.map(({ number, signature, training, trained_offers, is_live }) => ({
    number,
    signature,
    training,
    trainedOffers: trained_offers,
    isLive: is_live,
  }));
}

/** Numbers of generations whose building has ended without an end. */
export async function listAbandoned(queryable: Queryable): Promise<number[]> {
  const rows = await queryable.read<{ number: number }>(
    `select number from search.generation
      where not is_live and touched_at < clock_timestamp() - ${abandonedAfter}`,
  );
  return rows.map(({ number }) => number);
}

/** A number that no generation has had. */
export async function nextGeneration(tx: Transaction): Promise<number> {
  const row = await tx.readOne<{ number: number }>(
    "select nextval('search.generation_number')::int4 as number",
  );
  return row?.number ?? 1;
}

/** Lets a generation, not live yet, take writes from the next transaction on. */
export async function addGeneration(
  tx: Transaction,
  { number, signature }: Pick<Generation, "number" | "signature">,
): Promise<void> {
  await tx.write(
    "insert into search.generation (number, signature, is_live) values ($1, $2, false)",
    [number, signature],
  );
}

/** Says that a build goes on. False when somebody has taken it for dead. */
export async function touchGeneration(tx: Transaction, number: number): Promise<boolean> {
  const { rowCount } = await tx.write(
    "update search.generation set touched_at = clock_timestamp() where number = $1",
    [number],
  );
  return rowCount > 0;
}

/** Marks the one that answers. */
export async function markLive(tx: Transaction, number: number): Promise<void> {
  await tx.write("update search.generation set is_live = (number = $1)", [number]);
}

export async function removeGeneration(queryable: Queryable, number: number): Promise<void> {
  await queryable.write("delete from search.generation where number = $1", [number]);
}
