import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Database } from "@storefront/database";
import { createTransport, errorInfoOf } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { provideFeed } from "../src/index.ts";
import {
  append,
  openFeedDatabase,
  ownerLog,
  sandboxEntry,
  serveFeed,
} from "./support/feed-fixture.ts";

describeOnEachDatabase("the followers of a log", (testDatabase) => {
  let database: Database;
  let server: RunningServer;
  let transport: ClosableTransport;
  let client: Client<typeof FeedService>;
  beforeAll(async () => {
    database = await openFeedDatabase(testDatabase.options());
    server = await serveFeed(provideFeed(ownerLog(database)));
    transport = createTransport({ baseUrl: `http://127.0.0.1:${server.port}` });
    client = createClient(FeedService, transport);
  });
  afterAll(async () => {
    await transport.close();
    await server.close();
    await database.close();
  });
  beforeEach(async () => {
    await database.write("truncate owner.change_log restart identity");
    await database.write("delete from owner.log_follower");
  });

  it("are told by name with the position that each has said last, also when it went back", async () => {
    const beforeMs = Date.now() - 60_000;
    await client.acknowledgeChanges({ follower: "search", sequence: 3n });
    await client.acknowledgeChanges({ follower: "changelog", sequence: 9n });
    await client.acknowledgeChanges({ follower: "changelog", sequence: 7n });
    const { followers } = await client.describeLog({});
    expect(followers).toMatchObject([
      { name: "changelog", sequence: 7n, isAwaited: true },
      { name: "search", sequence: 3n, isAwaited: true },
    ]);
    const acknowledgedAt = followers[0]?.acknowledgedAt;
    expect(acknowledgedAt && timestampDate(acknowledgedAt).getTime()).toBeGreaterThan(beforeMs);
  });

  it("see how much there is of the log", async () => {
    expect(await client.describeLog({})).toMatchObject({ newestSequence: 0n, oldestSequence: 0n });
    await append(database, [sandboxEntry("a"), sandboxEntry("b")]);
    await database.write("delete from owner.change_log where seq = 1");
    const described = await client.describeLog({});
    expect(described).toMatchObject({ newestSequence: 2n, oldestSequence: 2n });
    expect(described.oldestCommittedAt).toBeDefined();
    expect(described.sizeBytes).toBeGreaterThan(8_000n);
  });

  it.each([
    { follower: "", sequence: 1n },
    { follower: "a\u0000", sequence: 1n },
    { follower: "search", sequence: -1n },
  ])("are refused with INVALID_ARGUMENT when they say %o", async (request) => {
    const error: unknown = await client
      .acknowledgeChanges(request)
      .catch((reason: unknown) => reason);
    expect(errorInfoOf(error)?.reason).toBe(ErrorReason.INVALID_FIELD);
  });
});
