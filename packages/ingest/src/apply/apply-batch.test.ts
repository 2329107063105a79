import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, createTables, deleted, readLog, seen, stored } from "../../test/harness.ts";
import { offerDetailsKind, offerKind, rankingKind } from "../../test/kinds.ts";
import { createBatchApplier } from "./apply-batch.ts";
import type { BatchElement } from "./apply-batch.ts";
import type { Observation } from "./apply-observation.ts";

const { WRITTEN, UNCHANGED, STALE, REJECTED } = IngestOutcome;
const apply = createBatchApplier("test", [offerKind, rankingKind, offerDetailsKind]);

describeOnEachDatabase("applying batches", (testDatabase) => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(testDatabase.options());
    await createTables(database);
  });
  beforeEach(async () => {
    await database.write(
      `truncate test.offer, test.ranking, test.offer_details, test.tombstone, test.sighting,
        test.change_log`,
    );
  });
  afterAll(() => database.close());

  async function outcomes(...elements: BatchElement[]): Promise<IngestOutcome[]> {
    return (await apply(database, elements)).outcomes;
  }

  describe("a record", () => {
    it("seen for the first time is stored with its columns and one entry", async () => {
      const json = { id: "o1", namespace: "n", title: "T", tags: [{ id: "1" }] };
      expect(await outcomes(seen(1, "offer", json))).toEqual([WRITTEN]);
      expect(await stored(database, offerKind)).toEqual({ json, observedAt: at(1) });
      expect(await database.readOne("select title, tags from test.offer")).toEqual({
        title: "T",
        tags: ["1"],
      });
      expect(await readLog(database)).toEqual([
        {
          kind: "offer",
          key: ["o1"],
          namespace: "n",
          observedAt: at(1),
          changes: ['INSERT * - {"id":"o1","title":"T"}'],
          record: json,
        },
      ]);
    });

    it("restored from an export is logged without a change, and later like any other", async () => {
      const json = { id: "o1", namespace: "n", title: "T" };
      const restore = { ...seen(1, "offer", json), operation: "restore" as const };
      expect(await outcomes(restore)).toEqual([WRITTEN]);
      expect(await stored(database, offerKind)).toEqual({ json, observedAt: at(1) });
      expect(await readLog(database)).toMatchObject([{ key: ["o1"], changes: [], record: json }]);

      const later = seen(2, "offer", { ...json, title: "U" });
      expect(await outcomes(restore, { ...later, operation: "restore" })).toEqual([
        UNCHANGED,
        WRITTEN,
      ]);
      expect((await readLog(database)).at(-1)?.changes).toEqual(['UPDATE title "T" "U"']);
    });

    it("mirrored from another stack is stored unchanged, and logged without changes", async () => {
      const mirrored = (element: Observation) => ({ ...element, isMirrored: true });
      const first = seen(1, "offer", { id: "o1", title: "T" });
      const later = seen(2, "offer", { id: "o1", title: "U" });
      const deletion = deleted(3, "offer", { id: "o1" });
      expect(await outcomes(...[first, later, deletion].map(mirrored))).toEqual([
        WRITTEN,
        WRITTEN,
        WRITTEN,
      ]);
      const log = await readLog(database);
      expect(log.map(({ changes, record }) => [changes, record?.["title"]])).toEqual([
        [[], "T"],
        [[], "U"],
        [[], undefined],
      ]);
      expect(await outcomes(seen(4, "offer", { id: "o1" }))).toEqual([WRITTEN]);
      expect((await readLog(database)).at(-1)?.changes).toHaveLength(1);
    });

    it("that is newer and different is replaced, with its changes in one entry", async () => {
      await outcomes(seen(1, "offer", { id: "o1", title: "A", tags: [{ id: "1" }] }));
      const json = { id: "o1", title: "B", tags: [{ id: "2" }] };
      expect(await outcomes(seen(2, "offer", json))).toEqual([WRITTEN]);
      expect(await stored(database, offerKind)).toEqual({ json, observedAt: at(2) });
      const [, entry] = await readLog(database);
      expect(entry?.changes).toEqual([
        'UPDATE title "A" "B"',
        'DELETE tags {"id":"1"} -',
        'INSERT tags - {"id":"2"}',
      ]);
    });

    it("that is newer and equal only updates its time", async () => {
      const tags = [{ id: "1" }, { id: "2" }];
      await outcomes(seen(1, "offer", { id: "o1", tags }));
      const again = seen(2, "offer", { id: "o1", tags: tags.toReversed(), title: null });
      expect(await outcomes(again)).toEqual([UNCHANGED]);
      expect(await stored(database, offerKind)).toEqual({
        json: { id: "o1", tags },
        observedAt: at(2),
      });
      expect(await readLog(database)).toHaveLength(1);
    });

    it("that is not newer is skipped: unchanged when equal, else stale", async () => {
      const json = { id: "o1", title: "A" };
      await outcomes(seen(5, "offer", json));
      expect(
        await outcomes(
          seen(5, "offer", json),
          seen(5, "offer", { id: "o1", title: "B" }),
          seen(4, "offer", json),
          seen(4, "offer", { id: "o1", title: "B" }),
        ),
      ).toEqual([UNCHANGED, STALE, UNCHANGED, STALE]);
      expect(await stored(database, offerKind)).toEqual({ json, observedAt: at(5) });
      expect(await readLog(database)).toHaveLength(1);
    });
  });

  describe("a deletion", () => {
    it("removes the row, stores its time and logs the record's summary and namespace", async () => {
      await outcomes(seen(1, "offer", { id: "o1", namespace: "n", title: "A" }));
      expect(await outcomes(deleted(2, "offer", { id: "o1" }))).toEqual([WRITTEN]);
      expect(await stored(database, offerKind)).toBeUndefined();
      const [, entry] = await readLog(database);
      expect(entry).toMatchObject({
        key: ["o1"],
        namespace: "n",
        observedAt: at(2),
        changes: ['DELETE * {"id":"o1","title":"A"} -'],
        record: undefined,
      });
    });

    it("is not undone by an older observation", async () => {
      await outcomes(seen(1, "offer", { id: "o1" }), deleted(3, "offer", { id: "o1" }));
      expect(
        await outcomes(
          seen(2, "offer", { id: "o1" }),
          seen(3, "offer", { id: "o1" }),
          deleted(2, "offer", { id: "o1" }),
        ),
      ).toEqual([STALE, STALE, UNCHANGED]);
      expect(await stored(database, offerKind)).toBeUndefined();
    });

    it("that is not newer is stale", async () => {
      await outcomes(seen(5, "offer", { id: "o1" }));
      expect(await outcomes(deleted(5, "offer", { id: "o1" }))).toEqual([STALE]);
      expect(await stored(database, offerKind)).toBeDefined();
    });

    it("of a missing record is unchanged, logs nothing, and is stored", async () => {
      expect(await outcomes(deleted(3, "offer", { id: "o1" }))).toEqual([UNCHANGED]);
      expect(await outcomes(deleted(5, "offer", { id: "o1" }))).toEqual([UNCHANGED]);
      expect(await outcomes(seen(4, "offer", { id: "o1" }))).toEqual([STALE]);
      expect(await readLog(database)).toEqual([]);
    });

    it("is followed by an insert when the record is seen again", async () => {
      await outcomes(seen(1, "offer", { id: "o1", title: "A" }));
      await outcomes(deleted(2, "offer", { id: "o1" }));
      expect(await outcomes(seen(3, "offer", { id: "o1", title: "B" }))).toEqual([WRITTEN]);
      const log = await readLog(database);
      expect(log.at(-1)?.changes).toEqual(['INSERT * - {"id":"o1","title":"B"}']);
      expect(await database.read("select key from test.tombstone")).toEqual([]);
    });
  });

  describe("several observations in one batch", () => {
    it("of one record apply one after the other, each with its entry", async () => {
      const result = await outcomes(
        seen(1, "offer", { id: "o1", title: "A" }),
        seen(2, "offer", { id: "o1", title: "B" }),
        seen(1, "offer", { id: "o1", title: "C" }),
        deleted(3, "offer", { id: "o1" }),
        seen(4, "offer", { id: "o1", title: "D" }),
      );
      expect(result).toEqual([WRITTEN, WRITTEN, STALE, WRITTEN, WRITTEN]);
      expect((await stored(database, offerKind))?.json["title"]).toBe("D");
      const log = await readLog(database);
      expect(log.map(({ observedAt }) => observedAt)).toEqual([at(1), at(2), at(3), at(4)]);
      expect(log.map(({ record }) => record?.["title"])).toEqual(["A", "B", undefined, "D"]);
    });

    it("of several kinds keep their order in the log", async () => {
      await outcomes(
        seen(1, "offer", { id: "o1" }),
        seen(1, "ranking", { collection: "c", offerId: "o1", position: 1 }),
        seen(1, "offer", { id: "o2" }),
      );
      const log = await readLog(database);
      expect(log.map(({ kind, key }) => [kind, ...key])).toEqual([
        ["offer", "o1"],
        ["ranking", "c", "o1"],
        ["offer", "o2"],
      ]);
      expect(log[1]?.changes).toEqual([]);
    });

    it("are rejected one by one, with the name of the member", async () => {
      const result = await apply(database, [
        seen(1, "offer", { id: "o1" }),
        seen(1, "offer", { id: "o2", title: "x".repeat(513) }),
        seen(1, "offer", { id: "o3", tags: [{ id: "1" }, { id: "" }] }),
        { ...seen(1, "offer", { id: "o4" }), kind: "other" },
        deleted(1, "offer", { id: "" }),
        seen(1, "offer", { id: "o5" }),
      ]);
      expect(result.outcomes).toEqual([WRITTEN, REJECTED, REJECTED, REJECTED, REJECTED, WRITTEN]);
      expect(result.rejections.map(({ index, field }) => [index, field])).toEqual([
        [1, "title"],
        [2, "tags[1].id"],
        [3, ""],
        [4, "id"],
      ]);
      expect(await readLog(database)).toHaveLength(2);
    });
  });

  describe("a kind's own rules", () => {
    it("treat a removal by value as a deletion", async () => {
      const key = { collection: "c", offerId: "o1" };
      await outcomes(seen(1, "ranking", { ...key, position: 3 }));
      expect(await outcomes(seen(2, "ranking", { ...key, position: 0 }))).toEqual([WRITTEN]);
      expect(await stored(database, rankingKind)).toBeUndefined();
      expect(await outcomes(seen(2, "ranking", { ...key, position: 1 }))).toEqual([STALE]);
    });

    it("keep merged members, and a replay of either part is unchanged", async () => {
      const media = seen(1, "offerDetails", { offerId: "o1", media: { a: 1 } });
      const polls = seen(2, "offerDetails", { offerId: "o1", media: null, polls: { b: 2 } });
      expect(await outcomes(media)).toEqual([WRITTEN]);
      expect(await outcomes(polls)).toEqual([WRITTEN]);
      expect((await stored(database, offerDetailsKind))?.json).toEqual({
        offerId: "o1",
        media: { a: 1 },
        polls: { b: 2 },
      });
      expect(await outcomes(media, polls)).toEqual([UNCHANGED, UNCHANGED]);
    });
  });

  it("a batch that fails is rolled back", async () => {
    const lost = new Error("lost");
    const failing = createBatchApplier("test", [
      { ...offerKind, onWritten: () => Promise.reject(lost) },
    ]);
    await outcomes(seen(1, "offer", { id: "o1", title: "A" }));
    const batch = [seen(2, "offer", { id: "o1", title: "B" }), deleted(2, "offer", { id: "o2" })];
    await expect(failing(database, batch)).rejects.toBe(lost);
    expect((await stored(database, offerKind))?.json["title"]).toBe("A");
    expect(await readLog(database)).toHaveLength(1);
    expect(await database.read("select key from test.tombstone")).toEqual([]);
  });

  it("concurrent batches lose nothing and number the log in their order", async () => {
    const batches = Array.from({ length: 8 }, (_, batch) =>
      outcomes(
        ...Array.from({ length: 20 }, (__, index) =>
          seen(index, "offer", { id: `o${batch}`, title: `T${index}` }),
        ),
      ),
    );
    expect((await Promise.all(batches)).flat()).toEqual(Array.from({ length: 160 }, () => WRITTEN));
    const log = await readLog(database);
    for (const entries of Map.groupBy(log, ({ key }) => key[0]).values()) {
      expect(entries.map(({ record }) => record?.["title"])).toEqual(
        Array.from({ length: 20 }, (_, index) => `T${index}`),
      );
    }
  });
});
