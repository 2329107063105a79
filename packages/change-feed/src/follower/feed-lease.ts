import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { Lease, whileRenewing } from "@storefront/database";
import type { Database, Queryable, Transaction } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";
import type { Logger } from "@storefront/process";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { LogPosition } from "../log/log-source.ts";
import type { FeedCursor } from "./feed-cursor.ts";
import type { FollowerStep } from "./pace.ts";

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
  readonly #table: string;
  readonly #lease: Lease;
  #isHeld = false;

  constructor(options: FeedLeaseOptions) {
    const { schema, projectionVersion: version } = options;
    this.#options = options;
    this.#table = `${schema}.feed_lease`;
    this.#lease = new Lease({
      table: this.#table,
      keyColumn: "feed",
      key: options.feed,
      // Also for people: host and process first.
      holder: `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`,
      expiryColumn: "expires_at",
      durationMs: options.leaseMs,
      isTakeable: (isFree) => `version = ${version} and ${isFree} or version < ${version}`,
      onTake: `, version = ${version}`,
    });
  }

  /** Whether this process held the lease at its last check. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  async look(): Promise<LeaseState> {
    const { database, schema, feed } = this.#options;
    const read = () =>
      database.readOne<Row>(
        `select lease.holder, lease.version, lease.expires_at <= clock_timestamp() as is_expired,
            coalesce(cursor.sequence, 0) as cursor, snapshot.records::float8 as snapshot_records
          from ${this.#table} as lease
          left join ${schema}.feed_cursor as cursor using (feed)
          left join ${schema}.snapshot_progress as snapshot using (feed)
          where lease.feed = $1`,
        [feed],
      );
    let row = await read();
    if (row === undefined) {
      await this.#create();
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
    this.#isHeld = await this.#lease.take(this.#options.database);
    return this.#isHeld;
  }

  /**
   * Renews the lease in a transaction; no other process can take it before that ends.
   *
   * @throws LeaseLostError when another process has taken it.
   */
  async confirm(tx: Transaction): Promise<void> {
    if (!(await this.renew(tx))) throw new LeaseLostError(this.#options.feed);
  }

  /**
   * Runs a transaction of the holder, given the stored position. No other process applies the feed meanwhile.
   *
   * @throws LeaseLostError when another process has taken the lease.
   */
  async transaction<Result>(
    cursor: FeedCursor,
    work: (tx: Transaction, stored: LogPosition) => Promise<Result>,
  ): Promise<FollowerStep<Result>> {
    let beganAtMs = 0;
    const result = await this.#options.database.transaction(async (tx) => {
      beganAtMs = performance.now();
      await this.confirm(tx);
      return await work(tx, await cursor.lock(tx));
    });
    return { result, busyMs: performance.now() - beganAtMs };
  }

  /** Takes the lease from any holder, even of a newer version, on an operator's request. */
  async seize(): Promise<void> {
    await this.#create();
    await this.#lease.seize(this.#options.database);
    this.#isHeld = true;
  }

  /**
   * Blocks any holder until the transaction ends.
   *
   * @throws ServiceError FAILED_PRECONDITION, PROJECTION_OUTDATED, when a newer version has written.
   */
  async exclude(tx: Transaction): Promise<void> {
    const { feed, projectionVersion } = this.#options;
    const row = await tx.readOne<{ version: number }>(
      `select version from ${this.#table} where feed = $1 for update`,
      [feed],
    );
    if (row === undefined || row.version <= projectionVersion) return;
    throw new ServiceError({
      code: Code.FailedPrecondition,
      reason: ErrorReason.PROJECTION_OUTDATED,
      message: `a newer version of this service applies the feed of ${feed}`,
      metadata: { feed },
    });
  }

  /** Renews the lease, by default outside a transaction. Returns false when another process has taken it. */
  async renew(queryable: Queryable = this.#options.database): Promise<boolean> {
    this.#isHeld = await this.#lease.renew(queryable);
    return this.#isHeld;
  }

  /** Releases the lease, so that another process can take it at once. */
  async giveBack(): Promise<void> {
    this.#isHeld = false;
    await this.#lease.release(this.#options.database);
  }

  /** Renews the lease during work, whose next transaction confirms it and so detects its loss. */
  async whileHeld<Result>(logger: Logger, work: () => Promise<Result>): Promise<Result> {
    const renew = async () => {
      await this.renew().catch((err: unknown) =>
        logger.warn({ err }, "the lease of a feed cannot be renewed now"),
      );
    };
    return await whileRenewing(renew, this.#options.leaseMs / 3, work);
  }

  async #create(): Promise<void> {
    const { database, feed } = this.#options;
    await database.write(
      `insert into ${this.#table} (feed) values ($1) on conflict (feed) do nothing`,
      [feed],
    );
  }
}

/** Another process applies the feed. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";

  constructor(feed: string) {
    super(`another process applies the feed of ${feed}`);
  }
}
