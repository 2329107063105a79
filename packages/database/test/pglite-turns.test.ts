import { openDatabase } from "@storefront/database";
import { expect, it } from "vitest";

const statements = 20;

it("yields to the event loop between two statements of PGlite", async () => {
  const database = await openDatabase({ url: "pglite:memory:" });
  let turns = 0;
  let isOver = false;
  const countTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const before = turns;
  for (let index = 0; index < statements; index++) await database.read("select 1");
  const seen = turns - before;
  isOver = true;
  await database.close();
  expect(seen).toBeGreaterThanOrEqual(statements);
});
