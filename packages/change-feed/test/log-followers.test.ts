import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { describeOnEachDatabase } from "@storefront/testkit";
import { beforeEach, expect, it } from "vitest";
import { append, sandboxEntry } from "./support/feed-fixture.ts";
import { ServedFeed } from "./support/served-feed.ts";

describeOnEachDatabase("the followers of a log", (testDatabase) => {
  const feed = new ServedFeed(testDatabase);
  beforeEach(async () => {
    await feed.database.write("delete from owner.log_follower");
  });

  it("are listed by name with the last position that each acknowledged, also when it went back", async () => {
    const beforeMs = Date.now() - 60_000;
    await feed.client.acknowledgeChanges({ follower: "search", sequence: 3n });
    await feed.client.acknowledgeChanges({ follower: "changelog", sequence: 9n });
    await feed.client.acknowledgeChanges({ follower: "changelog", sequence: 7n });
    const { followers } = await feed.client.describeLog({});
    expect(followers).toMatchObject([
      { name: "changelog", sequence: 7n, isAwaited: true },
      { name: "search", sequence: 3n, isAwaited: true },
    ]);
    const acknowledgedAt = followers[0]?.acknowledgedAt;
    expect(acknowledgedAt && timestampDate(acknowledgedAt).getTime()).toBeGreaterThan(beforeMs);
  });

  it("see the size and range of the log", async () => {
    expect(await feed.client.describeLog({})).toMatchObject({
      newestSequence: 0n,
      oldestSequence: 0n,
    });
    await append(feed.database, [sandboxEntry("a"), sandboxEntry("b")]);
    await feed.database.write("delete from owner.change_log where seq = 1");
    const described = await feed.client.describeLog({});
    expect(described).toMatchObject({ newestSequence: 2n, oldestSequence: 2n });
    expect(described.oldestCommittedAt).toBeDefined();
    expect(described.sizeBytes).toBeGreaterThan(8_000n);
  });

  it.each([
    { follower: "", sequence: 1n },
    { follower: "a\u0000", sequence: 1n },
    { follower: "search", sequence: -1n },
  ])("are rejected with INVALID_ARGUMENT when they acknowledge %o", async (request) => {
    const error: unknown = await feed.client
      .acknowledgeChanges(request)
      .catch((reason: unknown) => reason);
    expect(errorInfoOf(error)?.reason).toBe(ErrorReason.INVALID_FIELD);
  });
});
