import type { Queryable, Transaction } from "@storefront/database";
import type { VectorKind } from "../engine/index-documents.ts";

/** An offer without a vector of its text. */
export interface QueuedOffer {
  readonly offerId: string;
  /** Grows with every change of the text. */
  readonly version: bigint;
}

const allOf = `from unnest($1::text[], $2::int8[]) as kind(signature, training),
  unnest($3::text[]) as offer(id)`;

const insert = `insert into search.embedding_task (signature, training, offer_id, version)
  select kind.signature, kind.training, offer.id, nextval('search.embedding_version')`;

/** A changed text resets claims and failures. */
const onConflictReset = `on conflict (signature, training, offer_id) do update
  set version = excluded.version, holder = null, claimed_until = null, failures = 0, retry_at = null`;

function parametersOf(kinds: readonly VectorKind[]): unknown[] {
  return [kinds.map(({ signature }) => signature), kinds.map(({ training }) => training)];
}

/** Queues offers with changed texts, and removes deleted ones. */
export async function queueChanged(
  tx: Transaction,
  kinds: readonly VectorKind[],
  { changed, removed }: { changed: readonly string[]; removed: readonly string[] },
): Promise<void> {
  if (changed.length > 0 && kinds.length > 0) {
    await tx.write(`${insert} ${allOf} ${onConflictReset}`, [...parametersOf(kinds), changed]);
  }
  if (removed.length === 0) return;
  await tx.write("delete from search.embedding_task where offer_id = any($1)", [removed]);
}

/** Queues offers unless they are queued. */
export async function queueMissing(
  tx: Transaction,
  kind: VectorKind,
  offerIds: readonly string[],
): Promise<void> {
  if (offerIds.length === 0) return;
  await tx.write(`${insert} ${allOf} on conflict (signature, training, offer_id) do nothing`, [
    ...parametersOf([kind]),
    offerIds,
  ]);
}

/** Rows per statement, to limit its duration: there may be as many as offers. */
const rowsPerStatement = 10_000;

/** For release 0.2.0: moves what it has queued to this release's queue. */
export async function takeOverQueue(
  queryable: Queryable,
  kinds: readonly VectorKind[],
): Promise<void> {
  if (kinds.length === 0) return;
  for (let taken = rowsPerStatement; taken >= rowsPerStatement;) {
    const { rowCount } = await queryable.write(
      `with offer as (
          delete from search.embedding_queue where offer_id = any(array(
            select offer_id from search.embedding_queue limit ${rowsPerStatement}))
          returning offer_id as id
        )
        ${insert} from unnest($1::text[], $2::int8[]) as kind(signature, training), offer
        ${onConflictReset}`,
      parametersOf(kinds),
    );
    // One for each kind.
    taken = rowCount / kinds.length;
  }
}

/** Deletes queued offers for vectors that no generation has any more. */
export async function forgetOrphans(queryable: Queryable): Promise<void> {
  for (let taken = rowsPerStatement; taken === rowsPerStatement;) {
    const { rowCount } = await queryable.write(
      `delete from search.embedding_task as task where task.ctid = any(array(
        select orphan.ctid from search.embedding_task as orphan where not exists (
          select from search.generation as generation
          where generation.signature = orphan.signature and not generation.is_retired
            and orphan.training in (generation.training, generation.next_training))
        limit ${rowsPerStatement}))`,
    );
    taken = rowCount;
  }
}

export async function countQueued(queryable: Queryable): Promise<number> {
  const row = await queryable.readOne<{ queued: number }>({
    name: "search.countQueued",
    text: "select count(distinct offer_id)::int4 as queued from search.embedding_task",
  });
  return row?.queued ?? 0;
}
