import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { DependencyKind, HealthStatus } from "@storefront/contracts/health/v1/health_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { errorInfoOf } from "@storefront/rpc";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeBackEntries } from "../src/store/undo-store.ts";
import { brief, startFixture, timeOf, upsert } from "./support/changelog-fixture.ts";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";

type EntryInit = Exclude<MessageInitShape<typeof EntrySchema>, Entry>;

const { WRITTEN, UNCHANGED, STALE, REJECTED } = IngestOutcome;

describeOnEachDatabase("the changelog", (testDatabase) => {
  let fixture: ChangelogFixture;
  /** Entries in the order of the log, which is that of commit. */
  let logged: Entry[];

  beforeAll(async () => {
    fixture = await startFixture(testDatabase.options());
    const offers = Array.from({ length: 30 }, (_, n) =>
      // Three of each time; every fifth was seen long before it was committed.
      upsert("offer", n % 5 === 0 ? n - 1_000 : Math.floor(n / 3), {
        id: `o${n}`,
        namespace: "ns",
        title: `t${n}`,
      }),
    );
    await fixture.ingest(offers);
    await fixture.ingest([
      upsert("sandbox", 60, { id: "ns", title: "Sandbox" }),
      upsert("offer", 61, { id: "o1", namespace: "ns", title: "new" }),
    ]);
    await fixture.caughtUp();
    const { entries } = await fixture.changelog.listEntriesSince({ pageSize: 50 });
    logged = entries;
  });
  afterAll(() => fixture.close());

  const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);
  const newestFirst = (entries: readonly Entry[]) =>
    entries.toSorted((a, b) => timeMs(b) - timeMs(a) || (a.id < b.id ? -1 : 1));

  it("holds one entry for each write, with ids that ascend in the order of commit", () => {
    expect(logged).toHaveLength(32);
    expect(ids(logged)).toEqual(ids(logged).toSorted());
    expect(logged.slice(0, 2).map(brief)).toEqual(["offer o0 +*", "offer o1 +*"]);
    expect(logged.slice(-2).map(brief)).toEqual(["sandbox ns +*", "offer o1 ~title"]);
    expect(logged.at(-1)).toMatchObject({
      namespace: "ns",
      timestamp: timestampFromDate(timeOf(61)),
      changes: [
        {
          changeType: ChangeType.UPDATE,
          type: "string",
          oldValue: { kind: { value: "t1" } },
          newValue: { kind: { value: "new" } },
        },
      ],
    });
  });

  it("lists newest first, ties by id, in pages that neither overlap nor skip", async () => {
    const pages: Entry[] = [];
    for (let page = 1; page <= 5; page++) {
      const { entries, totalSize } = await fixture.changelog.listEntries({
        page,
        pageSize: 7,
        contextType: "offer",
      });
      expect(totalSize).toBe(31n);
      pages.push(...entries);
    }
    expect(ids(pages)).toEqual(
      ids(newestFirst(logged.filter(({ contextType }) => contextType === "offer"))),
    );
  });

  it.each([
    [{}, 32],
    [{ contextType: "sandbox" }, 1],
    [{ contextType: "price" }, 0],
    [{ contextId: "o1" }, 2],
    [{ contextId: "o1", contextType: "offer" }, 2],
    [{ contextId: "o1", contextType: "item" }, 0],
    [{ contextId: "nobody" }, 0],
    [{ scope: { case: "sandboxId" as const, value: "ns" } }, 32],
    [{ scope: { case: "sandboxId" as const, value: "ns" }, contextId: "o1" }, 2],
    [{ scope: { case: "sandboxId" as const, value: "ns" }, contextType: "sandbox" }, 1],
    [{ scope: { case: "sandboxId" as const, value: "nowhere" } }, 0],
    [{ scope: { case: "itemId" as const, value: "ns" } }, 0],
  ])("counts exactly: %o has %i", async (filter, expected) => {
    const { entries, totalSize } = await fixture.changelog.listEntries({ ...filter, pageSize: 50 });
    expect([totalSize, entries.length]).toEqual([BigInt(expected), expected]);
    expect(ids(entries)).toEqual(ids(newestFirst(entries)));
  });

  it("gives an empty page with the true total past the end, and lowers a page size over the cap", async () => {
    expect(await fixture.changelog.listEntries({ page: 9, pageSize: 10 })).toMatchObject({
      entries: [],
      totalSize: 32n,
    });
    const { entries } = await fixture.changelog.listEntries({ pageSize: 1_000 });
    expect(entries).toHaveLength(32);
    expect((await fixture.changelog.listEntries({})).entries).toHaveLength(10);
  });

  it("lists in the order of the log from the first entry of a time on, so that a late one is not missed", async () => {
    const from = async (since: Date) =>
      ids(
        (
          await fixture.changelog.listEntriesSince({
            start: { case: "since", value: timestampFromDate(since) },
            pageSize: 50,
          })
        ).entries,
      );
    const first = logged.findIndex((entry) => timeMs(entry) >= timeOf(4).getTime());
    expect(await from(timeOf(4))).toEqual(ids(logged.slice(first)));
    // Entries that were seen before that time but committed after it are there.
    expect(logged.slice(first).some((entry) => timeMs(entry) < timeOf(4).getTime())).toBe(true);
    const second = await fixture.changelog.listEntriesSince({
      start: { case: "since", value: timestampFromDate(timeOf(4)) },
      page: 2,
      pageSize: 3,
    });
    expect(ids(second.entries)).toEqual(ids(logged.slice(first + 3, first + 6)));
    expect(await from(timeOf(61))).toEqual(ids(logged.slice(-1)));
    expect(await from(timeOf(62))).toEqual([]);
    expect(await from(timeOf(-5_000))).toEqual(ids(logged));
  });

  it("lists what follows an entry, page by page", async () => {
    const start = { case: "afterEntryId" as const, value: logged[4]?.id ?? "" };
    const first = await fixture.changelog.listEntriesSince({ start, page: 1, pageSize: 20 });
    const second = await fixture.changelog.listEntriesSince({ start, page: 2, pageSize: 20 });
    expect(ids([...first.entries, ...second.entries])).toEqual(ids(logged.slice(5)));
  });

  it("gives one entry, and many in the order asked for without the unknown", async () => {
    const [a, b] = ids(logged);
    const { entry } = await fixture.changelog.getEntry({ entryId: a ?? "" });
    expect(entry).toEqual(logged[0]);
    const { entries } = await fixture.changelog.batchGetEntries({
      entryIds: [b ?? "", "unknown", a ?? ""],
    });
    expect(ids(entries)).toEqual([b, a]);
  });

  it("says NOT_FOUND of an unknown entry", async () => {
    const failures = [
      failureOf(fixture.changelog.getEntry({ entryId: "unknown" })),
      failureOf(
        fixture.changelog.listEntriesSince({ start: { case: "afterEntryId", value: "unknown" } }),
      ),
      failureOf(iteratorOf(fixture.changelog.watchEntries({ afterEntryId: "unknown" })).next()),
    ];
    for (const error of await Promise.all(failures)) {
      expect(error.code).toBe(Code.NotFound);
      expect(errorInfoOf(error)?.reason).toBe(ErrorReason.ENTRY_NOT_FOUND);
    }
  });

  it.each([
    { page: -1 },
    { pageSize: -1 },
    { page: 100_002, pageSize: 1 },
    { contextId: "a\u0000b" },
    { contextType: "x".repeat(257) },
    { scope: { case: "sandboxId" as const, value: "" } },
    { scope: { case: "itemId" as const, value: "\u0007" } },
  ])("refuses a list that breaks a rule with INVALID_ARGUMENT: %o", async (request) => {
    const error = await failureOf(fixture.changelog.listEntries(request));
    expect(error.code).toBe(Code.InvalidArgument);
  });

  it.each([
    { start: { case: "since" as const, value: { seconds: 253_402_300_800n } } },
    { start: { case: "since" as const, value: { seconds: 0n, nanos: -1 } } },
    { start: { case: "afterEntryId" as const, value: "" } },
  ])("refuses a start that breaks a rule with INVALID_ARGUMENT: %o", async (request) => {
    const error = await failureOf(fixture.changelog.listEntriesSince(request));
    expect(error.code).toBe(Code.InvalidArgument);
  });

  it("is healthy while it follows the catalog, and tells its lag", async () => {
    const { dependencies } = await fixture.health.checkHealth({});
    const feed = dependencies.find(({ kind }) => kind === DependencyKind.FEED);
    expect(feed).toMatchObject({
      name: "catalog",
      status: HealthStatus.OK,
      lagEntries: 0n,
      lagSeconds: 0,
    });
  });

  describe("with foreign entries", () => {
    async function store(...entries: EntryInit[]) {
      const answers = [];
      for await (const answer of fixture.foreign.ingestEntries(once({ entries }), {
        timeoutMs: 10_000,
      }))
        answers.push(answer);
      const [answer] = answers;
      if (answer === undefined) throw new Error("no answer");
      return answer;
    }

    it("takes them once, as they are, and leaves a taken id alone", async () => {
      const entry = foreign("f1", {
        changes: [
          {
            changeType: ChangeType.UPDATE,
            field: "title",
            oldValueRaw: text('"a"'),
            newValueRaw: text('{"b":1}'),
          },
        ],
      });
      const other = foreign("f1", { contextId: "another" });
      expect((await store(entry)).outcomes).toEqual([WRITTEN]);
      expect((await store(entry, other, foreign("f2"), foreign("f2"))).outcomes).toEqual([
        UNCHANGED,
        STALE,
        WRITTEN,
        UNCHANGED,
      ]);
      const { entry: stored } = await fixture.changelog.getEntry({ entryId: "f1" });
      expect(stored).toMatchObject({
        contextId: "thing",
        namespace: "abroad",
        changes: [{ newValueRaw: { kind: { value: '{"b":1}' } } }],
      });
      expect(stored?.changes[0]?.newValue).toBeUndefined();
    });

    it("lists them with the record that they are about, wherever that is, else by their namespace", async () => {
      await store(
        foreign("f3", { contextType: "offer", contextId: "o2", namespace: "elsewhere" }),
        foreign("f4", { contextType: "achievement", contextId: "x", namespace: "elsewhere" }),
      );
      const listOf = async (value: string) =>
        ids(
          (
            await fixture.changelog.listEntries({
              scope: { case: "sandboxId", value },
              pageSize: 50,
            })
          ).entries,
        );
      expect(await listOf("elsewhere")).toEqual(["f4"]);
      expect(await listOf("ns")).toContain("f3");
    });

    it.each([
      ["id", { id: "" }],
      ["id", { id: "catalog-0000000000001" }],
      ["id", { id: "x".repeat(257) }],
      ["id", { id: "a\u0000" }],
      ["timestamp", { timestamp: { seconds: -62_135_596_801n } }],
      ["timestamp", { timestamp: { seconds: 253_402_300_800n } }],
      ["contextType", { contextType: "" }],
      ["contextId", { contextId: "\n" }],
      ["namespace", { namespace: "x".repeat(257) }],
      ["changes", { changes: [] }],
      ["changes[0].changeType", { changes: [{ field: "title" }] }],
      ["changes[0].field", { changes: [{ changeType: ChangeType.INSERT }] }],
      [
        "changes[0].newValueRaw",
        { changes: [{ changeType: ChangeType.INSERT, field: "a", newValueRaw: text("\u0000") }] },
      ],
      [
        "changes[0].newValue",
        {
          changes: [
            {
              changeType: ChangeType.INSERT,
              field: "a",
              newValue: { kind: { case: "numberValue" as const, value: Number.NaN } },
            },
          ],
        },
      ],
      [
        "changes[0].newValue",
        { changes: [{ changeType: ChangeType.INSERT, field: "a", newValue: {} }] },
      ],
      ["timestamp", { timestamp: { seconds: 253_402_300_799n } }],
      [
        "",
        {
          changes: [
            { changeType: ChangeType.INSERT, field: "a", newValue: text("x".repeat(1_050_000)) },
          ],
        },
      ],
    ])(
      "rejects one that breaks a rule of its %s, and takes the others",
      async (field, fault: EntryInit) => {
        const good = `good-${Math.random()}`;
        const answer = await store({ ...foreign("bad"), ...fault }, foreign(good));
        expect(answer.outcomes).toEqual([REJECTED, WRITTEN]);
        expect(answer.rejections).toMatchObject([{ index: 0, field }]);
        expect(
          (await fixture.changelog.batchGetEntries({ entryIds: ["bad", good] })).entries,
        ).toHaveLength(1);
      },
    );

    it.each([0, 1_001])("refuses a batch of %i entries with INVALID_ARGUMENT", async (count) => {
      const batch = Array.from({ length: count }, (_, n) => foreign(`b${n}`));
      expect((await failureOf(store(...batch))).code).toBe(Code.InvalidArgument);
    });

    it("streams entries as they are stored, from now on or after an entry", async () => {
      const watch = (afterEntryId: string) =>
        iteratorOf(fixture.changelog.watchEntries({ afterEntryId }, { timeoutMs: 20_000 }));
      const live = watch("");
      expect((await live.next()).value?.entries).toEqual([]);
      await store(foreign("w1"));
      expect((await live.next()).value).toMatchObject({
        entries: [{ id: "w1" }],
        startedAfterEntryId: "",
      });
      expect((await watch("").next()).value).toMatchObject({
        entries: [],
        startedAfterEntryId: "w1",
      });
      await store(foreign("w2"));
      expect(ids((await live.next()).value?.entries ?? [])).toEqual(["w2"]);
      const later = watch("w1");
      expect(ids((await later.next()).value?.entries ?? [])).toEqual(["w2"]);
      const behind = watch(logged[29]?.id ?? "");
      expect(ids((await behind.next()).value?.entries ?? []).slice(0, 2)).toEqual(
        ids(logged.slice(30)),
      );
    });

    it("are in the changelog's own feed, with the canonical ones", async () => {
      await store(foreign("last"));
      const stream = fixture.feed.watchChanges(
        { afterSequence: 0n, kinds: ["entry"] },
        { timeoutMs: 20_000 },
      );
      const found: string[] = [];
      for await (const { entries, newestSequence, newestIdentity } of stream) {
        for (const { key, record, sequence, identity } of entries) {
          found.push(key[0] ?? "");
          expect(sequence === newestSequence ? identity : newestIdentity).toBe(newestIdentity);
          expect(record && anyUnpack(record, EntrySchema)?.id).toBe(key[0]);
          expect(sequence).toBeLessThanOrEqual(newestSequence);
        }
        if (found.at(-1) === "last") break;
      }
      expect(found.slice(0, 32)).toEqual(ids(logged));
    });

    it("are in a snapshot of that feed", async () => {
      const messages = await Array.fromAsync(fixture.feed.readSnapshot({ kinds: ["entry"] }));
      const entries = messages.flatMap((message) => message.entries);
      expect(entries.map(({ key }) => key[0]).slice(0, 32)).toEqual(ids(logged));
      expect(entries[0]?.record && anyUnpack(entries[0].record, EntrySchema)?.id).toBe(
        logged[0]?.id,
      );
      expect(messages.at(-1)?.identity).not.toBe("");
    });

    it("refuse a follower of theirs whose entry is another one", async () => {
      const stream = fixture.feed.watchChanges({ afterSequence: 1n, afterIdentity: "lost" });
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({
        code: Code.FailedPrecondition,
      });
    });

    it("starts a watch after an entry that can be gone on after, also when an older one was taken back last", async () => {
      const start = async () => (await iteratorOf(fixture.changelog.watchEntries({})).next()).value;
      await store(foreign("w3"), foreign("w4"), foreign("w5"));
      expect(await start()).toMatchObject({ startedAfterEntryId: "w5" });
      await fixture.database.transaction((tx) => takeBackEntries(tx, ["w4"]));
      const first = await start();
      expect(first).toMatchObject({ entries: [{ id: "w5" }], startedAfterEntryId: "w3" });
    });
  });
});

function foreign(id: string, members: EntryInit = {}): EntryInit {
  return {
    id,
    timestamp: timestampFromDate(new Date(Date.UTC(2010, 0, 1))),
    contextType: "thing",
    contextId: "thing",
    namespace: "abroad",
    changes: [
      { changeType: ChangeType.INSERT, type: "string", field: "title", newValue: text("a") },
    ],
    ...members,
  };
}

function text(value: string) {
  return { kind: { case: "stringValue" as const, value } };
}

async function* once<Message>(message: Message): AsyncGenerator<Message> {
  yield message;
}

function timeMs({ timestamp }: Entry): number {
  return Number(timestamp?.seconds ?? 0n) * 1_000;
}

function iteratorOf<Message>(stream: AsyncIterable<Message>): AsyncIterator<Message> {
  return stream[Symbol.asyncIterator]();
}

async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  return await call.then(
    () => {
      throw new Error("the call did not fail");
    },
    (error: unknown) => ConnectError.from(error),
  );
}
