import type { Queryable, Transaction } from "@storefront/database";

/** Pending writes to an external index; `vector`: an offer's vectors are stale. */
export type OutboxKind = "offer" | "price" | "entry" | "vector";

/** A changed key, without its state. */
export interface OutboxKey {
  readonly kind: OutboxKind;
  /** Of the offer or the changelog entry. */
  readonly id: string;
  /** Of a price, or {@link everyRegion}; otherwise empty. */
  readonly region: string;
}

export interface OutboxEntry extends OutboxKey {
  /** The one that lacks it, or {@link everyGeneration}. */
  readonly generation: number;
  /** Grows with each change of the key. */
  readonly position: bigint;
}

/** All regions of an offer. */
export const everyRegion = "*";

/** All generations that receive writes. */
export const everyGeneration = 0;

export interface OutboxState {
  /** At most 10,000. */
  readonly entries: number;
  /** When the first entry was added; undefined when the outbox is empty. */
  readonly oldestAt: Date | undefined;
  /** Every change for all generations up to here is sent. */
  readonly sentThrough: bigint;
}

// Writers and the sender lock rows in the order of the primary key.

/** Adds keys, one row per key. The caller holds the writers' lock. */
export async function addToOutbox(
  tx: Transaction,
  keys: readonly OutboxKey[],
  generation = everyGeneration,
): Promise<void> {
  if (keys.length === 0) return;
  await tx.write(
    `insert into search.outbox (generation, kind, id, region, position)
      select $1, kind, id, region, nextval('search.outbox_position')
      from (
        select distinct kind collate "C" as kind, id collate "C" as id, region collate "C" as region
        from unnest($2::text[], $3::text[], $4::text[]) as changed(kind, id, region)
        order by kind, id, region
      ) as changed
      on conflict (generation, kind, id, region) do update set position = excluded.position`,
    [
      generation,
      keys.map(({ kind }) => kind),
      keys.map(({ id }) => id),
      keys.map(({ region }) => region),
    ],
  );
}

/** The first entries: changes for all generations before the copies of a reindex. */
export async function readOutbox(queryable: Queryable, limit: number): Promise<OutboxEntry[]> {
  return await queryable.read<OutboxEntry>(
    `select generation, kind, id, region, position from search.outbox
      order by generation, position limit $1`,
    [limit],
  );
}

/** Removes sent entries, except those that changed since they were read. */
export async function removeSent(tx: Transaction, sent: readonly OutboxEntry[]): Promise<void> {
  await tx.write(
    `delete from search.outbox where ctid = any(array(
      select ctid from search.outbox
      where generation = any($1::int4[]) and position = any($2::int8[])
      order by generation, kind, id, region for update))`,
    [[...new Set(sent.map(({ generation }) => generation))], sent.map(({ position }) => position)],
  );
}

/** Empties the outbox, when no external index is written any more. */
export async function clearOutbox(tx: Transaction): Promise<void> {
  await tx.write("delete from search.outbox");
}

export async function outboxState(queryable: Queryable): Promise<OutboxState> {
  const row = await queryable.readOne<{
    entries: number;
    oldest_at: Date | null;
    sent_through: bigint;
  }>({
    name: "search.outboxState",
    text: `select
        (select count(*)::int4 from (select from search.outbox limit 10000) as counted) as entries,
        (select queued_at from search.outbox order by generation, position limit 1) as oldest_at,
        coalesce(
          (select min(position) - 1 from search.outbox where generation = ${everyGeneration}),
          (select last_value from search.outbox_position)) as sent_through`,
  });
  return {
    entries: row?.entries ?? 0,
    oldestAt: row?.oldest_at ?? undefined,
    sentThrough: row?.sent_through ?? 0n,
  };
}

/** The last added position; for the holder of the writers' lock. */
export async function newestPosition(tx: Transaction): Promise<bigint> {
  const row = await tx.readOne<{ position: bigint }>(
    "select last_value as position from search.outbox_position",
  );
  return row?.position ?? 0n;
}

/** Position of the first entry for one generation only; undefined without one. */
export async function firstWaiting(
  queryable: Queryable,
  generation: number,
): Promise<bigint | undefined> {
  const row = await queryable.readOne<{ position: bigint | null }>(
    "select min(position) as position from search.outbox where generation = $1",
    [generation],
  );
  return row?.position ?? undefined;
}
