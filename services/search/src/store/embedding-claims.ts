import type { Queryable, Transaction } from "@storefront/database";
import type { VectorKind } from "../engine/index-documents.ts";
import type { QueuedOffer } from "./embedding-queue.ts";
import { everyGeneration } from "./outbox-store.ts";

/** Duration of a claim in milliseconds: an endpoint has 10 s, an engine's server 15 s and more for many offers. */
const claimMs = 60_000;

/** An offer that failed alone is retried after one second, then after twice as long each time, up to a minute. */
const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

const isDue = `coalesce(claimed_until, '-infinity') <= clock_timestamp()
  and coalesce(retry_at, '-infinity') <= clock_timestamp()`;

/**
 * Offers of a kind by id and version (parameters 1 to 4). The lateral join forces index lookups, since a queue changes
 * faster than its statistics. The version is checked again because a concurrent claim or requeue between snapshot and
 * lock moves a row; such a row is skipped and claimed after that claim ends.
 */
const these = `task.ctid = any(array(
    select found.ctid from unnest($3::text[], $4::int8[]) as claimed(offer_id, version)
    cross join lateral (
      select ctid from search.embedding_task
      where signature = $1 and training = $2::int8 and offer_id = claimed.offer_id
        and version = claimed.version limit 1
    ) as found))
  and task.version = ($4::int8[])[array_position($3::text[], task.offer_id)]`;

function parametersOf(
  { signature, training }: VectorKind,
  claimed: readonly QueuedOffer[],
): unknown[] {
  const ids = claimed.map(({ offerId }) => offerId);
  return [signature, training, ids, claimed.map(({ version }) => version)];
}

/** A stale vector's removal that is still in the outbox would also remove a newer vector. */
const isNotPending = `not exists (
  select from search.outbox
  where generation = ${everyGeneration} and kind = 'vector' and id = task.offer_id)`;

interface ClaimOptions {
  readonly holder: string;
  readonly limit: number;
  /** Whether to skip offers whose stale vectors are in the outbox. */
  readonly isOutside: boolean;
}

/**
 * Claims the offers that waited longest. Offers that failed alone come last, one at a time. No process can claim them
 * until the claim is released or expires.
 */
export async function claimQueued(
  queryable: Queryable,
  { signature, training }: VectorKind,
  { holder, limit, isOutside }: ClaimOptions,
): Promise<QueuedOffer[]> {
  const { rows } = await queryable.write<QueuedOffer>(
    // By ctid, since locked rows do not move: by key, a plan for few rows would read all of them for each.
    `with due as (
        select ctid, failures > 0 as has_failed from search.embedding_task as task
        where signature = $1 and training = $2 and ${isDue} and (not $5 or ${isNotPending})
        order by failures > 0, version limit $3 for update skip locked
      )
      update search.embedding_task
      set holder = $4, claimed_until = clock_timestamp() + interval '${claimMs} milliseconds'
      where ctid = any(array(
        select ctid from due where not has_failed
        union all
        (select ctid from due where not exists (select from due where not has_failed) limit 1)))
      returning offer_id as "offerId", version`,
    [signature, training, limit, holder, isOutside],
  );
  return rows;
}

/** The claimed offers whose text is unchanged. */
export async function unchangedOf(
  queryable: Queryable,
  kind: VectorKind,
  claimed: readonly QueuedOffer[],
): Promise<QueuedOffer[]> {
  return await queryable.read<QueuedOffer>(
    `select offer_id as "offerId", version from search.embedding_task as task where ${these}`,
    parametersOf(kind, claimed),
  );
}

/**
 * Removes offers from the queue, except those whose text changed since the claim.
 *
 * @returns the removed ids
 */
export async function finishClaimed(
  tx: Transaction,
  kind: VectorKind,
  claimed: readonly QueuedOffer[],
): Promise<Set<string>> {
  const { rows } = await tx.write<{ offer_id: string }>(
    `delete from search.embedding_task as task where ${these} returning task.offer_id`,
    parametersOf(kind, claimed),
  );
  return new Set(rows.map(({ offer_id }) => offer_id));
}

/** Releases claims. A batch of one that failed is retried later. */
export async function giveBack(
  queryable: Queryable,
  kind: VectorKind,
  { holder, claimed, hasFailed }: ReleasedClaims,
): Promise<void> {
  const delayMs = `least(${firstRetryMs} * 2 ^ least(failures, 20), ${maxRetryMs})`;
  const retry = `failures = failures + 1,
    retry_at = clock_timestamp() + ${delayMs} * interval '1 millisecond',`;
  // Rows locked by others are being queued again, which ends the claim.
  await queryable.write(
    `update search.embedding_task as task
      set ${hasFailed && claimed.length === 1 ? retry : ""} holder = null, claimed_until = null
      where task.ctid = any(array(
        select ctid from search.embedding_task as task
        where ${these} and holder = $5 for update skip locked))`,
    [...parametersOf(kind, claimed), holder],
  );
}

interface ReleasedClaims {
  readonly holder: string;
  readonly claimed: readonly QueuedOffer[];
  /** Whether the embedder failed. */
  readonly hasFailed: boolean;
}

/** Milliseconds until a queued offer may be claimed; undefined when none is queued. */
export async function msUntilDue(
  queryable: Queryable,
  kinds: readonly VectorKind[],
  { isOutside }: Pick<ClaimOptions, "isOutside">,
): Promise<number | undefined> {
  const row = await queryable.readOne<{ due_ms: number | null }>(
    `select extract(epoch from
        min(greatest(claimed_until, retry_at, clock_timestamp())) - clock_timestamp())::float8 * 1000
        as due_ms
      from search.embedding_task as task
      where (signature, training) in (select * from unnest($1::text[], $2::int8[]))
        and (not $3 or ${isNotPending})`,
    [kinds.map(({ signature }) => signature), kinds.map(({ training }) => training), isOutside],
  );
  return row?.due_ms ?? undefined;
}

/** Whether offers queued up to a version still wait, without failed ones. */
export async function isWaiting(
  queryable: Queryable,
  { signature, training }: VectorKind,
  version: bigint,
): Promise<boolean> {
  const row = await queryable.readOne<{ is_waiting: boolean }>(
    `select exists (
      select from search.embedding_task
      where signature = $1 and training = $2 and failures = 0 and version <= $3) as is_waiting`,
    [signature, training, version],
  );
  return row?.is_waiting === true;
}

/** The latest queued version. */
export async function newestQueued(
  queryable: Queryable,
  { signature, training }: VectorKind,
): Promise<bigint> {
  const row = await queryable.readOne<{ version: bigint }>(
    `select coalesce(max(version), 0) as version from search.embedding_task
      where signature = $1 and training = $2`,
    [signature, training],
  );
  return row?.version ?? 0n;
}

/** Age in seconds of the oldest claim; 0 without claims. */
export async function oldestClaimAgeSeconds(queryable: Queryable): Promise<number> {
  const row = await queryable.readOne<{ age: number | null }>({
    name: "search.oldestClaimAge",
    text: `select extract(epoch from clock_timestamp() - min(claimed_until))::float8 as age
      from search.embedding_task`,
  });
  const age = row?.age ?? undefined;
  return age === undefined ? 0 : Math.max(0, age + claimMs / 1_000);
}
