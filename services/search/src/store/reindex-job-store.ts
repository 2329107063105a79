import { Lease } from "@storefront/database";
import type { Queryable, Transaction } from "@storefront/database";

/** The steps of a reindex, in order. */
export type ReindexStep =
  | "learning"
  | "offers"
  | "entries"
  | "queueing"
  | "embedding"
  | "finishing"
  | "activating";

type ReindexEnd = "done" | "cancelled" | "failed";

/** A reindex, as all processes see it. */
export interface ReindexJob {
  readonly number: number;
  readonly signature: string;
  readonly startedBy: string;
  readonly startedAt: Date;
  readonly phase: ReindexStep | ReindexEnd;
  /** The generation that it builds; undefined before its creation. */
  readonly generation: number | undefined;
  /** Text version since which the generation receives the feeds' writes. */
  readonly textsMoment: bigint;
  /** Id of the last processed record of the phase; empty at its beginning. */
  readonly after: string;
  /** Offers and entries in the new generation. */
  readonly written: number;
  /** Offers and entries at the start. */
  readonly total: number;
  readonly progressedAt: Date;
  /** Process that works on it; undefined without one. */
  readonly holder: string | undefined;
  /** Claims since the last progress. */
  readonly attempts: number;
  readonly error: string | undefined;
  readonly endedAt: Date | undefined;
}

/** A reindex and the process that claims it. */
export interface HeldJob {
  readonly number: number;
  readonly holder: string;
}

/** The holder of a job renews its lease every few seconds. A job that has ended has no holder. */
function leaseOf({ number, holder }: HeldJob): Lease {
  return new Lease({
    table: "search.reindex_job",
    keyColumn: "number",
    key: number,
    holder,
    expiryColumn: "held_until",
    durationMs: 30_000,
    isTakeable: (isFree) => `ended_at is null and ${isFree}`,
    onTake: ", attempts = attempts + 1",
  });
}

interface Row extends Omit<ReindexJob, "generation" | "holder" | "error" | "endedAt"> {
  generation: number | null;
  holder: string | null;
  error: string | null;
  endedAt: Date | null;
}

const columns = `number, signature, started_by as "startedBy", started_at as "startedAt", phase, generation,
  coalesce(texts_moment, 0) as "textsMoment", after_id as after, written::float8, total::float8,
  progressed_at as "progressedAt",
  case when ended_at is null and held_until > clock_timestamp() then holder end as holder,
  attempts, error, ended_at as "endedAt"`;

const endedNow = "holder = null, ended_at = clock_timestamp(), progressed_at = clock_timestamp()";

function jobOf(row: Row | undefined): ReindexJob | undefined {
  return (
    row && {
      ...row,
      generation: row.generation ?? undefined,
      holder: row.holder ?? undefined,
      error: row.error ?? undefined,
      endedAt: row.endedAt ?? undefined,
    }
  );
}

/** The current reindex, else the last one. */
export async function lastReindex(queryable: Queryable): Promise<ReindexJob | undefined> {
  return jobOf(
    await queryable.readOne<Row>({
      name: "search.lastReindex",
      text: `select ${columns} from search.reindex_job order by number desc limit 1`,
    }),
  );
}

export async function readReindex(
  queryable: Queryable,
  number: number,
): Promise<ReindexJob | undefined> {
  return jobOf(
    await queryable.readOne<Row>(`select ${columns} from search.reindex_job where number = $1`, [
      number,
    ]),
  );
}

/** Adds a reindex, claimed by the requesting process. None may be in progress. */
export async function addReindex(
  tx: Transaction,
  {
    signature,
    startedBy,
    holder,
  }: Pick<ReindexJob, "signature" | "startedBy"> & { holder: string },
): Promise<number> {
  const { rows } = await tx.write<{ number: number }>(
    `insert into search.reindex_job (signature, started_by, holder) values ($1, $2, $3)
      returning number`,
    [signature, startedBy, holder],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("an insertion gives its number");
  await leaseOf({ number: row.number, holder }).renew(tx);
  return row.number;
}

/** Claims a reindex that no other process works on. */
export async function takeReindex(queryable: Queryable, held: HeldJob): Promise<boolean> {
  return await leaseOf(held).take(queryable);
}

/** Renews the lease. False when it is lost or the reindex has ended. */
export async function holdReindex(queryable: Queryable, held: HeldJob): Promise<boolean> {
  if (!(await leaseOf(held).renew(queryable))) return false;
  await queryable.write(
    `update search.generation set touched_at = clock_timestamp()
      where number = (select generation from search.reindex_job where number = $1)`,
    [held.number],
  );
  return true;
}

/** Progress of a reindex; missing members stay. */
export interface ReindexProgress {
  readonly phase?: ReindexStep;
  /** With a new phase, default the beginning. */
  readonly after?: string;
  /** Added to the count. */
  readonly written?: number;
  readonly total?: number;
  readonly generation?: number;
  readonly textsMoment?: bigint;
}

/** Stores progress and renews the lease. False as in {@link holdReindex}. */
export async function advanceReindex(
  queryable: Queryable,
  held: HeldJob,
  progress: ReindexProgress,
): Promise<boolean> {
  const { phase, after, written = 0, total, generation, textsMoment } = progress;
  return await leaseOf(held).renew(
    queryable,
    `, phase = coalesce($3, phase),
      after_id = coalesce($4, case when $3::text is null then after_id else '' end),
      written = written + $5, total = coalesce($6, total), generation = coalesce($7, generation),
      texts_moment = coalesce($8, texts_moment), progressed_at = clock_timestamp(),
      attempts = 0, error = null`,
    [phase, after, written, total, generation, textsMoment],
  );
}

/** Releases a reindex, so that any process can claim it. Interruptions from outside do not count as attempts. */
export async function releaseReindex(
  queryable: Queryable,
  held: HeldJob,
  { error, isCounted }: { error: string | undefined; isCounted: boolean },
): Promise<void> {
  const also = ", error = coalesce($3, error), attempts = attempts - $4";
  await leaseOf(held).release(queryable, also, [error, isCounted ? 0 : 1]);
}

/** Restarts a reindex whose generation is lost. */
export async function restartReindex(queryable: Queryable, held: HeldJob): Promise<boolean> {
  const restarted = ", phase = 'learning', generation = null, after_id = '', written = 0";
  return await leaseOf(held).renew(queryable, restarted);
}

/**
 * Ends a reindex and retires its generation. No-op when it has ended, or has another holder than the given one; default
 * any.
 */
export async function endReindex(
  tx: Transaction,
  { number, holder }: { number: number; holder?: string },
  end: Exclude<ReindexEnd, "done">,
  error?: string,
): Promise<void> {
  await tx.write(
    `with ended as (
        update search.reindex_job set phase = $3, error = $4, ${endedNow}
        where number = $1 and ($2::text is null or holder = $2) and ended_at is null
        returning generation
      )
      update search.generation set is_live = false, is_retired = true
      where number = (select generation from ended)`,
    [number, holder, end, error],
  );
}

/** Ends the reindex that built a live generation. */
export async function endReindexOf(tx: Transaction, generation: number): Promise<void> {
  await tx.write(
    `update search.reindex_job set phase = 'done', error = null, ${endedNow}
      where generation = $1 and ended_at is null`,
    [generation],
  );
}

/** The number of stored entries and offers, the latter as `listOfferIds` lists them. */
export async function countDocuments(tx: Transaction): Promise<number> {
  const row = await tx.readOne<{ count: number }>(
    `select (
        (select count(*) from search.source_offer)
        + (select count(*) from search.offer_number
          where not exists (select from search.source_offer as offer where offer.id = offer_id))
        + (select count(*) from search.source_entry)
      )::float8 as count`,
  );
  return row?.count ?? 0;
}
