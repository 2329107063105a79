import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, DatabaseOptions } from "@storefront/database";
import { createTransport } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { beginningOfLog, followFeed, provideFeed } from "../../src/index.ts";
import type { FeedFollower, FollowOptions, Resynchronisation } from "../../src/index.ts";
import {
  append,
  insertAll,
  logger,
  openFeedDatabase,
  ownerLog,
  sandboxEntry,
  serveFeed,
} from "./feed-fixture.ts";

/** Longest wait on a busy machine. */
export const patience = { timeout: 20_000, interval: 10 };

/** A feed over HTTP, and followers of it on the same database; for one suite, empty in each test. */
export class ServedFeed {
  #database: Database | undefined;
  #transport: ClosableTransport | undefined;
  readonly #followers: FeedFollower[] = [];

  /** Called when the owner has read the records after a key, before it sends them. */
  onRead: (after: string) => Promise<void> = nothing;

  constructor(testDatabase: { options: () => DatabaseOptions | Promise<DatabaseOptions> }) {
    let server: RunningServer;
    beforeAll(async () => {
      this.#database = await openFeedDatabase(await testDatabase.options());
      server = await serveFeed(
        provideFeed({
          ...ownerLog(this.database, (after) => this.onRead(after)),
          pollIntervalMs: 20,
          heartbeatMs: 100,
        }),
      );
      this.#transport = createTransport({ baseUrl: `http://127.0.0.1:${server.port}` });
    });
    afterAll(async () => {
      await this.transport.close();
      await server.close();
      await this.database.close();
    });
    beforeEach(async () => {
      await this.database.write("truncate owner.change_log, consumer.applied restart identity");
      await this.database.write(
        "truncate consumer.feed_cursor, consumer.feed_lease, consumer.quarantined_entry, consumer.snapshot_progress",
      );
    });
    afterEach(async () => {
      this.onRead = nothing;
      await Promise.all(this.#followers.splice(0).map((follower) => follower.close()));
    });
  }

  get database(): Database {
    return defined(this.#database);
  }

  get transport(): ClosableTransport {
    return defined(this.#transport);
  }

  get client(): Client<typeof FeedService> {
    return createClient(FeedService, this.transport);
  }

  /** Starts a follower that stores the keys of applied entries. */
  follow(options: Partial<FollowOptions> = {}): FeedFollower {
    const follower = followFeed({
      feed: "owner",
      transport: this.transport,
      database: this.database,
      schema: "consumer",
      projectionVersion: 1,
      apply: insertAll,
      logger,
      ...options,
    });
    this.#followers.push(follower);
    follower.start();
    return follower;
  }

  /** Commits an entry for each key. */
  async write(...keys: string[]): Promise<void> {
    const entries = keys.map((id) => sandboxEntry(id));
    await append(this.database, entries);
  }

  /** Keys of applied entries, in order. */
  async applied(): Promise<string[]> {
    const rows = await this.database.read<{ key: string }>(
      "select key from consumer.applied order by place",
    );
    return rows.map(({ key }) => key);
  }

  /** Resolves when exactly these keys were applied. */
  async until(...keys: string[]): Promise<void> {
    await untilEqual(() => this.applied(), keys);
  }
}

const nothing = () => Promise.resolve();

async function untilEqual(read: () => Promise<string[]>, keys: readonly string[]): Promise<void> {
  await expect.poll(read, patience).toEqual(keys);
}

/** Deletes applied entries, so that the log can be followed from its beginning. */
export async function restartFromBeginning(at: Resynchronisation): Promise<typeof beginningOfLog> {
  await at.transaction((tx) => tx.write("delete from consumer.applied"));
  return beginningOfLog;
}

function defined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("the feed is available in hooks and tests only");
  return value;
}
