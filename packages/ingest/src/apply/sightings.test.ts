import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, createTables, deleted, seen, stored } from "../../test/harness.ts";
import { offerKind, rankingKind } from "../../test/kinds.ts";
import { forgetRecord } from "../forget-handler.ts";
import { currentRecords } from "../stream/stored-records.ts";
import { createBatchApplier } from "./apply-batch.ts";
import type { BatchElement } from "./apply-batch.ts";
import { compileKind } from "./compiled-kind.ts";

const { WRITTEN, UNCHANGED, STALE } = IngestOutcome;
const apply = createBatchApplier("test", [offerKind, rankingKind]);
const offer = (minute: number, title: string) => seen(minute, "offer", { id: "o1", title });
const ranking = (minute: number, collection: string, offerId: string) =>
  seen(minute, "ranking", { collection, offerId, position: 1 });

describeOnEachDatabase("records that are seen again", (testDatabase) => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(testDatabase.options());
    await createTables(database);
  });
  beforeEach(async () => {
    await database.write("truncate test.offer, test.ranking, test.tombstone, test.sighting");
  });
  afterAll(() => database.close());

  const outcomes = async (...elements: BatchElement[]) =>
    (await apply(database, elements)).outcomes;

  /** Physical versions of a table's rows: a row that is written again has another one. */
  const versions = async (table: string) =>
    await database.read(`select ctid::text, xmin::text from test.${table} order by 1`);

  const times = async () => {
    const records = await Array.fromAsync(currentRecords(database, [rankingKind])(undefined));
    return Object.fromEntries(records.map(({ key, observedAt }) => [key.join(" "), observedAt]));
  };

  describe("and are unchanged", () => {
    it("do not rewrite their rows, and write one row for each group", async () => {
      const all = (minute: number) =>
        ["a", "b"].flatMap((collection) =>
          Array.from({ length: 50 }, (_, index) => ranking(minute, collection, `o${index}`)),
        );
      await outcomes(...all(1));
      const rows = await versions("ranking");
      expect(new Set(await outcomes(...all(2)))).toEqual(new Set([UNCHANGED]));
      expect(await versions("ranking")).toEqual(rows);
      expect(await versions("sighting")).toHaveLength(2);
      expect(
        Object.values(await times()).filter((time) => time.getTime() !== at(2).getTime()),
      ).toEqual([]);
    });

    it("write nothing when they are seen at the stored time or before", async () => {
      await outcomes(offer(1, "A"));
      await outcomes(offer(2, "A"));
      const before = [await versions("offer"), await versions("sighting")];
      expect(await outcomes(offer(2, "A"), offer(1, "A"))).toEqual([UNCHANGED, UNCHANGED]);
      expect([await versions("offer"), await versions("sighting")]).toEqual(before);
    });

    it("each have their own time", async () => {
      await outcomes(ranking(1, "a", "x"), ranking(1, "a", "y"), ranking(1, "b", "x"));
      await outcomes(ranking(2, "a", "x"), ranking(5, "b", "x"));
      await outcomes(ranking(4, "a", "y"), ranking(3, "a", "x"), ranking(3, "b", "x"));
      expect(await times()).toEqual({ "a x": at(3), "a y": at(4), "b x": at(5) });
    });
  });

  describe("reject older observations", () => {
    it("of another state, of a deletion, and after a later state", async () => {
      await outcomes(offer(1, "A"));
      await outcomes(offer(5, "A"));
      expect(await outcomes(offer(4, "B"))).toEqual([STALE]);
      expect(await outcomes(deleted(5, "offer", { id: "o1" }))).toEqual([STALE]);
      expect(await outcomes(offer(6, "B"))).toEqual([WRITTEN]);
      expect(await outcomes(offer(5, "A"))).toEqual([STALE]);
      expect(await stored(database, offerKind)).toEqual({
        json: { id: "o1", title: "B" },
        observedAt: at(6),
      });
    });

    it("and apply newer deletions and returns", async () => {
      await outcomes(offer(1, "A"));
      await outcomes(offer(2, "A"));
      expect(await outcomes(deleted(3, "offer", { id: "o1" }))).toEqual([WRITTEN]);
      expect(await outcomes(offer(3, "A"))).toEqual([STALE]);
      expect(await outcomes(offer(4, "A"))).toEqual([WRITTEN]);
      expect((await stored(database, offerKind))?.observedAt).toEqual(at(4));
    });

    it("until they are forgotten, which does not change the others of their group", async () => {
      await outcomes(ranking(1, "a", "x"), ranking(1, "a", "y"));
      await outcomes(ranking(3, "a", "x"), ranking(3, "a", "y"));
      const forget = (key: string[]) =>
        forgetRecord(database, "test", compileKind(rankingKind), { key, isMirrored: false });
      expect(await forget(["a", "x"])).toEqual({ wasStored: true, observedAt: at(3) });
      expect(await outcomes(ranking(2, "a", "x"))).toEqual([WRITTEN]);
      expect(await times()).toEqual({ "a x": at(2), "a y": at(3) });
      await forget(["a", "y"]);
      expect(await versions("sighting")).toEqual([]);
    });
  });

  describe("while a release without sightings writes", () => {
    beforeEach(() => database.write("delete from test.sighting_start"));
    afterAll(() => database.write("insert into test.sighting_start default values"));

    it("have their time in their row, and a later sighting still counts", async () => {
      await outcomes(offer(1, "A"));
      await outcomes(offer(3, "A"));
      const time = "select observed_at from test.offer";
      expect(await database.readOne(time)).toEqual({ observed_at: at(3) });
      await database.write("update test.offer set observed_at = $1", [at(1)]);
      await database.write("insert into test.sighting values ('offer', 'o1', '{\"\"}', $1)", [
        [at(3).toISOString()],
      ]);
      expect(await outcomes(offer(2, "B"))).toEqual([STALE]);
      expect(await outcomes(offer(4, "A"))).toEqual([UNCHANGED]);
      expect(await database.readOne(time)).toEqual({ observed_at: at(4) });
    });
  });
});
