import { openDatabase } from "@storefront/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { at, createTables, seen } from "../../test/harness.ts";
import { offerKind, rankingKind } from "../../test/kinds.ts";
import { createBatchApplier } from "../apply/apply-batch.ts";
import { currentRecords } from "./stored-records.ts";

const database = await openDatabase({ url: "pglite:memory:" });
const apply = createBatchApplier("test", [offerKind, rankingKind]);
const records = currentRecords(database, [offerKind, rankingKind]);

beforeAll(() => createTables(database));
afterAll(() => database.close());

it("yields each record of each kind once, over pages, with its namespace and time", async () => {
  const ids = Array.from({ length: 450 }, (_, index) => `o${index}`);
  await apply(
    database,
    ids.map((id) => seen(1, "offer", { id, namespace: "n" })),
  );
  await apply(
    database,
    ids.map((offerId) => seen(2, "ranking", { collection: "c", offerId, position: 1 })),
  );
  const all = await Array.fromAsync(records(undefined));
  expect(all.map(({ kind, key }) => [kind, ...key].join(" ")).toSorted()).toEqual(
    ids.flatMap((id) => [`offer ${id}`, `ranking c ${id}`]).toSorted(),
  );
  expect(all[0]).toMatchObject({ namespace: "n", observedAt: at(1), changes: [] });
  const ranked = await Array.fromAsync(records(["ranking"]));
  expect(new Set(ranked.map(({ kind }) => kind))).toEqual(new Set(["ranking"]));
  expect(ranked).toHaveLength(450);
});
