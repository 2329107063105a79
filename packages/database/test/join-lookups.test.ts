import { setImmediate as turnEnd } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { joinLookups } from "../src/index.ts";

/** Lookups in rows that can change, and the statements that they ran. */
function recorded(rows: Map<string, string>) {
  const statements: string[] = [];
  const refuse = (group: string): void => {
    if (group === "broken") throw new RangeError("broken");
  };
  const lookUp = joinLookups<string>({
    async one(id, group) {
      statements.push(`${group}: ${id}`);
      refuse(group);
      return rows.get(id);
    },
    async many(ids, group) {
      statements.push(`${group}: ${ids.length} ids`);
      refuse(group);
      return new Map([...rows].filter(([id]) => ids.includes(id)));
    },
  });
  return { lookUp, statements };
}

const letters = () =>
  new Map([
    ["a", "A"],
    ["b", "B"],
  ]);

describe("joined lookups", () => {
  it("give each caller its own row, with one statement per group and turn of the event loop", async () => {
    const { lookUp, statements } = recorded(letters());
    const ids = ["b", "none", "a", "b"];
    const early = ids.map((id) => lookUp(id, "x"));
    await Promise.resolve();
    const late = [lookUp("a", "x"), lookUp("b", "y")];
    const found = await Promise.all([...early, ...late]);
    expect(found).toEqual(["B", undefined, "A", "B", "A", "B"]);
    expect(statements).toEqual(["x: 3 ids", "y: b"]);
  });

  it("cache nothing from one turn to the next", async () => {
    const rows = letters();
    const { lookUp, statements } = recorded(rows);
    const before = lookUp("a", "x");
    await turnEnd();
    rows.set("a", "new");
    const after = lookUp("a", "x");
    expect(await Promise.all([before, after])).toEqual(["A", "new"]);
    expect(statements).toEqual(["x: a", "x: a"]);
  });

  it("find a row that was written after the call", async () => {
    const rows = letters();
    const { lookUp } = recorded(rows);
    const first = lookUp("a", "x");
    rows.set("b", "new");
    expect(await Promise.all([first, lookUp("b", "x")])).toEqual(["A", "new"]);
  });

  it("fail only with their own group", async () => {
    const { lookUp } = recorded(letters());
    const results = await Promise.allSettled([
      lookUp("a", "broken"),
      lookUp("a", "x"),
      lookUp("b", "broken"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
    await expect(lookUp("a", "broken")).rejects.toThrow(RangeError);
  });

  it("are split into statements of at most 100 ids", async () => {
    const { lookUp, statements } = recorded(letters());
    const ids = [...Array.from({ length: 100 }, (_none, index) => `none-${index}`), "b", "a"];
    const found = await Promise.all(ids.map((id) => lookUp(id, "x")));
    expect(found.slice(-2)).toEqual(["B", "A"]);
    expect(statements).toEqual(["x: 100 ids", "x: 2 ids"]);
  });
});
