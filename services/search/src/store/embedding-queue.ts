import type { Queryable, Transaction } from "@storefront/database";

/** An offer whose text is to be embedded. */
export interface QueuedOffer {
  readonly offerId: string;
  /** Rises with every change of the text. */
  readonly version: bigint;
}

/** Queues offers whose text has changed, and takes those that are gone out of the queue. */
export async function queueRetold(
  tx: Transaction,
  retold: readonly string[],
  removed: readonly string[],
): Promise<void> {
  await queueOffers(tx, retold);
  if (removed.length === 0) return;
  await tx.write("delete from search.embedding_queue where offer_id = any($1)", [removed]);
}

/** Queues offers, for every generation. */
export async function queueOffers(
  queryable: Queryable,
  offerIds: readonly string[],
): Promise<void> {
  if (offerIds.length === 0) return;
  await queryable.write(
    `insert into search.embedding_queue (offer_id, version)
      select id, nextval('search.embedding_version') from unnest($1::text[]) as changed(id)
      on conflict (offer_id) do update set version = excluded.version`,
    [offerIds],
  );
}

/** Queued offers after a version, oldest first. */
export async function readQueue(
  queryable: Queryable,
  after: bigint,
  limit: number,
): Promise<QueuedOffer[]> {
  const rows = await queryable.read<{ offer_id: string; version: bigint }>(
    {
      name: "search.readEmbeddingQueue",
      text: `select offer_id, version from search.embedding_queue
        where version > $1 order by version limit $2`,
    },
    [after, limit],
  );
  return rows.map(({ offer_id, version }) => ({ offerId: offer_id, version }));
}

/** How many offers are queued. */
export async function countQueued(queryable: Queryable): Promise<number> {
  const row = await queryable.readOne<{ queued: number }>({
    name: "search.countQueued",
    text: "select count(*)::int4 as queued from search.embedding_queue",
  });
  return row?.queued ?? 0;
}

/**
 * Takes offers out of the queue, but for those that have changed since they were read.
 *
 * @returns ids of those that were taken out.
 */
export async function removeUnchanged(
  tx: Transaction,
  queued: readonly QueuedOffer[],
): Promise<Set<string>> {
  const { rows } = await tx.write<{ offer_id: string }>(
    `delete from search.embedding_queue as queue
      using unnest($1::text[], $2::int8[]) as done(offer_id, version)
      where queue.offer_id = done.offer_id and queue.version = done.version
      returning queue.offer_id`,
    [queued.map(({ offerId }) => offerId), queued.map(({ version }) => version)],
  );
  return new Set(rows.map(({ offer_id }) => offer_id));
}

/** Queues offers that are not queued already. */
export async function queueMissing(tx: Transaction, offerIds: readonly string[]): Promise<void> {
  if (offerIds.length === 0) return;
  await tx.write(
    `insert into search.embedding_queue (offer_id, version)
      select id, nextval('search.embedding_version') from unnest($1::text[]) as missing(id)
      on conflict (offer_id) do nothing`,
    [offerIds],
  );
}
