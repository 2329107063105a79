import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { takeBackEntries } from "../src/resynchronise/undo-entries.ts";
import { once, refusalOf } from "@storefront/service-process/testing/calls";
import type { ChangelogFixture } from "./support/changelog-fixture.ts";
import { idsOf, logOffers } from "./support/logged-offers.ts";

type EntryInit = Exclude<MessageInitShape<typeof EntrySchema>, Entry>;

const { WRITTEN, UNCHANGED, STALE, REJECTED } = IngestOutcome;

describeOnEachMigratedDatabase("the changelog with foreign entries", (testDatabase) => {
  let fixture: ChangelogFixture;
  let logged: readonly Entry[];
  beforeAll(async () => {
    ({ fixture, logged } = await logOffers(testDatabase.options()));
  });
  afterAll(() => fixture.close());

  async function store(...entries: EntryInit[]) {
    const responses = [];
    for await (const response of fixture.foreign.ingestEntries(once({ entries }), {
      timeoutMs: 10_000,
    }))
      responses.push(response);
    const [response] = responses;
    if (response === undefined) throw new Error("no response");
    return response;
  }

  it("stores them once, unchanged, and does not overwrite an existing id", async () => {
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

  it("lists them with their record, wherever it is, or else by their namespace", async () => {
    await store(
      foreign("f3", { contextType: "offer", contextId: "o2", namespace: "elsewhere" }),
      foreign("f4", { contextType: "achievement", contextId: "x", namespace: "elsewhere" }),
    );
    const listOf = async (value: string) =>
      idsOf(
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
  ])("rejects one with an invalid %s, and accepts the others", async (field, fault: EntryInit) => {
    const good = `good-${Math.random()}`;
    const response = await store({ ...foreign("bad"), ...fault }, foreign(good));
    expect(response.outcomes).toEqual([REJECTED, WRITTEN]);
    expect(response.rejections).toMatchObject([{ index: 0, field }]);
    expect(
      (await fixture.changelog.batchGetEntries({ entryIds: ["bad", good] })).entries,
    ).toHaveLength(1);
  });

  it.each([0, 1_001])("refuses a batch of %i entries with INVALID_ARGUMENT", async (count) => {
    const batch = Array.from({ length: count }, (_, n) => foreign(`b${n}`));
    expect((await refusalOf(store(...batch))).code).toBe(Code.InvalidArgument);
  });

  it("streams entries as they are stored, from now on or after an entry", async () => {
    const watch = (afterEntryId: string) => {
      const stream = fixture.changelog.watchEntries({ afterEntryId }, { timeoutMs: 20_000 });
      return stream[Symbol.asyncIterator]();
    };
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
    expect(idsOf((await live.next()).value?.entries ?? [])).toEqual(["w2"]);
    const later = watch("w1");
    expect(idsOf((await later.next()).value?.entries ?? [])).toEqual(["w2"]);
    const behind = watch(logged[29]?.id ?? "");
    expect(idsOf((await behind.next()).value?.entries ?? []).slice(0, 2)).toEqual(
      idsOf(logged.slice(30)),
    );
  });

  it("publishes them in its own feed, with the canonical ones", async () => {
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
    expect(found.slice(0, 32)).toEqual(idsOf(logged));
  });

  it("includes them in a snapshot of that feed", async () => {
    const messages = await Array.fromAsync(fixture.feed.readSnapshot({ kinds: ["entry"] }));
    const entries = messages.flatMap((message) => message.entries);
    expect(entries.map(({ key }) => key[0]).slice(0, 32)).toEqual(idsOf(logged));
    expect(entries[0]?.record && anyUnpack(entries[0].record, EntrySchema)?.id).toBe(logged[0]?.id);
    expect(messages.at(-1)?.identity).not.toBe("");
  });

  it("refuses a follower of that feed whose last entry differs", async () => {
    const stream = fixture.feed.watchChanges({ afterSequence: 1n, afterIdentity: "lost" });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: Code.FailedPrecondition,
    });
  });

  it("starts a watch after an entry that can be resumed after, also when an older one was just undone", async () => {
    const start = async () => {
      for await (const message of fixture.changelog.watchEntries({})) return message;
      return undefined;
    };
    await store(foreign("w3"), foreign("w4"), foreign("w5"));
    expect(await start()).toMatchObject({ startedAfterEntryId: "w5" });
    await fixture.database.transaction((tx) => takeBackEntries(tx, ["w4"]));
    const first = await start();
    expect(first).toMatchObject({ entries: [{ id: "w5" }], startedAfterEntryId: "w3" });
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
