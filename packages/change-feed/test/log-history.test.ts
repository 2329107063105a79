import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { errorInfoOf } from "@storefront/rpc";
import { describeOnEachDatabase } from "@storefront/testkit";
import { expect, it } from "vitest";
import { append, names, sandboxEntry } from "./support/feed-fixture.ts";
import { ServedFeed } from "./support/served-feed.ts";
import { entriesOf, failureOf, firstOf, watch } from "./support/watch-feed.ts";

describeOnEachDatabase("a log whose history may be lost", (testDatabase) => {
  const feed = new ServedFeed(testDatabase);

  const write = (prefix: string, count: number) =>
    append(
      feed.database,
      names(prefix, count).map((id) => sandboxEntry(id)),
    );

  /** Acts as a restored backup: the newest entries are lost, and their sequences are used again. */
  async function loseNewest(count: number): Promise<void> {
    await feed.database.transaction(async (tx) => {
      await tx.write(
        `delete from owner.change_log
        where seq > (select max(seq) from owner.change_log) - ${count}`,
      );
      await tx.write(`
        select setval(pg_get_serial_sequence('owner.change_log', 'seq'), max(seq))
        from owner.change_log`);
    });
  }

  it("gives each entry an identity, and sends that of the newest in every message", async () => {
    await write("a", 3);
    const { entries, newestIdentity } = await firstOf(feed.client, { afterSequence: 0n });
    const identities = entries.map(({ identity }) => identity);
    expect(identities).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^[0-9a-z]{10,12}$/)),
    );
    expect(newestIdentity).toBe(identities[2]);
    for (const request of [
      { fromNow: true },
      { afterSequence: 3n },
      { afterSequence: 0n, kinds: ["price"] },
    ]) {
      expect(await firstOf(feed.client, request)).toMatchObject({
        entries: [],
        newestSequence: 3n,
        newestIdentity,
      });
    }
  });

  it("resumes after the entry that a follower names", async () => {
    await write("a", 5);
    const [, second] = await entriesOf(feed.client, 0n, 5);
    const afterIdentity = second?.identity ?? "";
    const { entries } = await firstOf(feed.client, { afterSequence: 2n, afterIdentity });
    expect(entries.map(({ key }) => key[0])).toEqual(["a2", "a3", "a4"]);
  });

  it("rejects a follower whose last entry was lost and its sequence used again", async () => {
    await write("before", 20);
    const last = (await entriesOf(feed.client, 0n, 20)).at(-1);
    await loseNewest(10);
    await write("after", 12);
    const error = await failureOf(feed.client, {
      afterSequence: 20n,
      afterIdentity: last?.identity ?? "",
    });
    expect(error.code).toBe(Code.FailedPrecondition);
    expect(errorInfoOf(error)).toMatchObject({
      reason: ErrorReason.LOG_DIVERGED,
      metadata: { newestSequence: "22" },
    });
  });

  it("rejects a follower whose last entry was lost and not replaced", async () => {
    await write("before", 20);
    const last = (await entriesOf(feed.client, 0n, 20)).at(-1);
    await loseNewest(10);
    const error = await failureOf(feed.client, {
      afterSequence: 20n,
      afterIdentity: last?.identity ?? "",
    });
    expect(errorInfoOf(error)).toMatchObject({
      reason: ErrorReason.LOG_DIVERGED,
      metadata: { newestSequence: "10" },
    });
  });

  it("rejects a follower that watches while entries are lost", async () => {
    await write("before", 20);
    const messages = watch(feed.client, { afterSequence: 15n });
    expect((await messages.next()).value?.entries).toHaveLength(5);
    await loseNewest(10);
    await write("after", 12);
    const rest = async () => {
      const keys: (string | undefined)[] = [];
      for await (const { entries } of messages) keys.push(...entries.map(({ key }) => key[0]));
      return keys;
    };
    await expect(rest()).rejects.toMatchObject({ code: Code.FailedPrecondition });
  });
});
