import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Database, Queryable, Statement, Transaction } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";
import type { Logger } from "@storefront/process";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

interface FeedLeaseOptions {
  readonly database: Database;
  /** Schema with the tables `feed_lease`, `feed_cursor` and `snapshot_progress`. */
  readonly schema: string;
  readonly feed: string;
  /** Version of the projection that this process writes. */
  readonly projectionVersion: number;
  /** Lease duration in milliseconds. */
  readonly leaseMs: number;
}

/** Holder and progress of a feed. */
export interface LeaseState {
  /** Undefined when the lease was released or never held. */
  readonly holder: string | undefined;
  /** Projection version of the last holder; 0 before the first. */
  readonly version: number;
  /** Whether the lease was not renewed in time: its holder is dead or idle. */
  readonly isExpired: boolean;
  /** The last applied sequence; 0 before the first. */
  readonly cursor: bigint;
  /** Records of a snapshot applied so far; undefined when none is in progress. */
  readonly snapshotRecords: number | undefined;
}

interface Row {
  holder: string | null;
  version: number;
  is_expired: boolean;
  cursor: bigint;
  snapshot_records: number | null;
}

/**
 * Which process applies a feed, in the follower's `<schema>.feed_lease`: one row per feed. The holder renews
 * it in each transaction that applies entries, and not while idle, so that an idle database may suspend.
 * Times are those of the database.
 */
export class FeedLease {
  readonly #options: FeedLeaseOptions;
  readonly #statements: Readonly<
    Record<"create" | "look" | "take" | "renew" | "seize" | "exclude" | "giveBack", Statement>
  >;
  #isHeld = false;

  /** Identifies this follower, also for people: host and process first. */
  readonly holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

  constructor(options: FeedLeaseOptions) {
    const { schema } = options;
    const table = `${schema}.feed_lease`;
    const end = "clock_timestamp() + make_interval(secs => $3::float8 / 1000)";
    this.#options = options;
    this.#statements = {
      create: `insert into ${table} (feed) values ($1) on conflict (feed) do nothing`,
      look: `select lease.holder, lease.version, lease.expires_at <= clock_timestamp() as is_expired,
          coalesce(cursor.sequence, 0) as cursor, snapshot.records::float8 as snapshot_records
        from ${table} as lease
        left join ${schema}.feed_cursor as cursor using (feed)
        left join ${schema}.snapshot_progress as snapshot using (feed)
        where lease.feed = $1`,
      // A holder in a transaction has its row locked and is alive, however long that takes.
      take: `with free as (
          select feed from ${table}
          where feed = $1 and version <= $4 and (holder is null or holder = $2 or version < $4
            or expires_at <= clock_timestamp())
          for update skip locked
        )
        update ${table} as lease set holder = $2, expires_at = ${end}, version = $4
        from free where lease.feed = free.feed`,
      renew: {
        name: `${schema}.feedLease.renew`,
        text: `update ${table} set expires_at = ${end} where feed = $1 and holder = $2`,
      },
      seize: `update ${table} set holder = $2, expires_at = ${end}, version = $4 where feed = $1`,
      exclude: `select version from ${table} where feed = $1 for update`,
      giveBack: `update ${table} set holder = null where feed = $1 and holder = $2`,
    };
  }

  get durationMs(): number {
    return this.#options.leaseMs;
  }

  /** Whether this process held the lease at its last check. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  async look(): Promise<LeaseState> {
    const { database, feed } = this.#options;
    const read = () => database.readOne<Row>(this.#statements.look, [feed]);
    let row = await read();
    if (row === undefined) {
      await database.write(this.#statements.create, [feed]);
      row = await read();
    }
    if (row === undefined) throw new Error(`the lease of ${feed} was removed`);
    const { holder, version, is_expired: isExpired, cursor } = row;
    const snapshotRecords = row.snapshot_records ?? undefined;
    return { holder: holder ?? undefined, version, isExpired, cursor, snapshotRecords };
  }

  /**
   * Takes a lease that is free, expired, or held for an older version; never from a newer version or a holder
   * in a transaction. Returns whether it is held.
   */
  async take(): Promise<boolean> {
    const { database, feed, leaseMs, projectionVersion } = this.#options;
    const parameters = [feed, this.holder, leaseMs, projectionVersion];
    const { rowCount } = await database.write(this.#statements.take, parameters);
    this.#isHeld = rowCount === 1;
    return this.#isHeld;
  }

  /**
   * Renews the lease in a transaction; no other process can take it before that ends.
   *
   * @throws LeaseLostError when another process has taken it.
   */
  async confirm(tx: Transaction): Promise<void> {
    if (!(await this.#renew(tx))) throw new LeaseLostError(this.#options.feed);
  }

  /** Takes the lease from any holder, even of a newer version, on an operator's request. */
  async seize(): Promise<void> {
    const { database, feed, leaseMs, projectionVersion } = this.#options;
    await database.write(this.#statements.create, [feed]);
    const parameters = [feed, this.holder, leaseMs, projectionVersion];
    await database.write(this.#statements.seize, parameters);
    this.#isHeld = true;
  }

  /**
   * Blocks any holder until the transaction ends.
   *
   * @throws ServiceError FAILED_PRECONDITION, PROJECTION_OUTDATED, when a newer version has written.
   */
  async exclude(tx: Transaction): Promise<void> {
    const { feed, projectionVersion } = this.#options;
    const row = await tx.readOne<{ version: number }>(this.#statements.exclude, [feed]);
    if (row === undefined || row.version <= projectionVersion) return;
    throw new ServiceError({
      code: Code.FailedPrecondition,
      reason: ErrorReason.PROJECTION_OUTDATED,
      message: `a newer version of this service applies the feed of ${feed}`,
      metadata: { feed },
    });
  }

  /** Renews the lease outside a transaction, unless another process has taken it. */
  async renew(): Promise<void> {
    await this.#renew(this.#options.database);
  }

  /** Releases the lease, so that another process can take it at once. */
  async giveBack(): Promise<void> {
    const { database, feed } = this.#options;
    this.#isHeld = false;
    await database.write(this.#statements.giveBack, [feed, this.holder]);
  }

  async #renew(queryable: Queryable): Promise<boolean> {
    const { feed, leaseMs } = this.#options;
    const parameters = [feed, this.holder, leaseMs];
    const { rowCount } = await queryable.write(this.#statements.renew, parameters);
    this.#isHeld = rowCount === 1;
    return this.#isHeld;
  }
}

/** Another process applies the feed. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";

  constructor(feed: string) {
    super(`another process applies the feed of ${feed}`);
  }
}

/**
 * Renews a lease during work with long pauses between transactions. The work's next transaction confirms the
 * lease and so detects its loss.
 */
export async function whileHeld<Result>(
  lease: FeedLease,
  logger: Logger,
  work: () => Promise<Result>,
): Promise<Result> {
  let renewing: Promise<void> | undefined;
  const timer = setInterval(() => {
    // One renewal at a time: it waits for the work's transactions, which lock the lease.
    renewing ??= lease
      .renew()
      .catch((err: unknown) => logger.warn({ err }, "the lease of a feed cannot be renewed now"))
      .finally(() => (renewing = undefined));
  }, lease.durationMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}
