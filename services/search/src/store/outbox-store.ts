import type { Queryable, Transaction } from "@storefront/database";

/** What an index outside of the database lacks; `vector`: the vectors of an offer are stale. */
export type OutboxKind = "offer" | "price" | "entry" | "vector";

/** What has changed, without its state. */
export interface OutboxKey {
  readonly kind: OutboxKind;
  /** Of the offer, or of the changelog entry. */
  readonly id: string;
  /** Of a price, or {@link everyRegion}; otherwise empty. */
  readonly region: string;
}

/** A key that waits to be sent. */
export interface OutboxEntry extends OutboxKey {
  /** The one that lacks it, or {@link everyGeneration}. */
  readonly generation: number;
  /** Rises with each change of the key. */
  readonly position: bigint;
}

/** All regions of an offer. */
export const everyRegion = "*";

/** All generations that take writes. */
export const everyGeneration = 0;

/** What waits. */
export interface OutboxState {
  /** Up to 10,000 are counted. */
  readonly entries: number;
  /** Since when the first in turn waits; undefined while nothing does. */
  readonly oldestAt: Date | undefined;
  /** Every change for all generations up to here is sent. */
  readonly sentThrough: bigint;
}

// Writers and the sender lock rows in the order of the primary key.

/** Adds keys, each once however often it changes. The caller holds the writers' lock. */
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

/** The first entries in turn: changes for all generations before what a reindex copies. */
export async function readOutbox(queryable: Queryable, limit: number): Promise<OutboxEntry[]> {
  return await queryable.read<OutboxEntry>(
    `select generation, kind, id, region, position from search.outbox
      order by generation, position limit $1`,
    [limit],
  );
}

/** Takes entries away that are sent, but for those that have changed again since they were read. */
export async function removeSent(tx: Transaction, sent: readonly OutboxEntry[]): Promise<void> {
  await tx.write(
    `delete from search.outbox where ctid = any(array(
      select ctid from search.outbox
      where generation = any($1::int4[]) and position = any($2::int8[])
      order by generation, kind, id, region for update))`,
    [[...new Set(sent.map(({ generation }) => generation))], sent.map(({ position }) => position)],
  );
}

/** Takes all away, when no index outside of the database is written any more. */
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

/** Of what was added last; for the holder of the writers' lock. */
export async function newestPosition(tx: Transaction): Promise<bigint> {
  const row = await tx.readOne<{ position: bigint }>(
    "select last_value as position from search.outbox_position",
  );
  return row?.position ?? 0n;
}

/** Position of the first entry that waits for one generation alone; undefined when none does. */
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
