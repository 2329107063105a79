import { openDatabase } from "@storefront/database";
import type { Queryable, Statement } from "@storefront/database";
import { expect, it } from "vitest";
import { integerColumns } from "../src/domain/column-names.ts";
import { OfferColumns } from "../src/engine/postgres/columns/offer-columns.ts";
import { ReadWriteLock } from "../src/engine/postgres/columns/read-write-lock.ts";

it("changes offers that are read again atomically, however many statements read them", async () => {
  const database = await openDatabase({ url: "pglite:memory:" });
  try {
    const integers = [...integerColumns.values()].map((name) => `${name} int8`);
    await database.write(`create table offer (number int primary key, offer_id text, terms int[],
      facets int[], has_giveaway boolean, ${integers.join(", ")})`);
    await database.write(`insert into offer (number, offer_id, terms, facets, has_giveaway)
      select number, number, '{}', '{}', false from generate_series(1, 10001) as number`);
    const columns = new OfferColumns("offer", new ReadWriteLock());
    await columns.readAll(database);
    const givenAway = () => columns.hasGiveaway.filter((value) => value === 1).length;
    await database.write("update offer set has_giveaway = true");
    const seen: number[] = [];
    const watched: Queryable = {
      read: (statement, parameters) => database.read(statement, parameters),
      readOne: <Row>(statement: Statement, parameters?: readonly unknown[]) => {
        seen.push(givenAway());
        return database.readOne<Row>(statement, parameters);
      },
      write: (statement, parameters) => database.write(statement, parameters),
    };
    const numbers = Int32Array.from({ length: 10_001 }, (_, index) => index + 1);
    await columns.readAgain(watched, numbers);
    expect(seen).toEqual([0, 0, 0]);
    expect(givenAway()).toBe(10_001);
  } finally {
    await database.close();
  }
});
