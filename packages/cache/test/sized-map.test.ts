import { expect, test } from "vitest";
import { SizedMap } from "../src/index.ts";

const filled = (...keys: string[]) => {
  const map = new SizedMap<string>(30);
  for (const key of keys) map.set(key, key, 10);
  return map;
};

const keysOf = (map: SizedMap<string>) =>
  ["a", "b", "c", "d", "e"].filter((key) => map.get(key) !== undefined);

test("keeps as much as fits, and lets go of the oldest", () => {
  const map = filled("a", "b", "c", "d");
  expect(map.sizeBytes).toBe(30);
  expect(map.count).toBe(3);
  expect(keysOf(map)).toEqual(["b", "c", "d"]);
});

test("spares what was asked for since, once", () => {
  const map = filled("a", "b", "c");
  map.get("a");
  map.set("d", "d", 10);
  expect(map.get("b")).toBeUndefined();
  map.set("e", "e", 10);
  expect(map.get("c")).toBeUndefined();
  expect(map.get("a")).toBe("a");
});

test("counts a replaced value once, and none that was deleted", () => {
  const map = filled("a", "a", "b");
  expect(map.sizeBytes).toBe(20);
  map.delete("a");
  map.delete("a");
  expect(map.sizeBytes).toBe(10);
  map.clear();
  expect([map.sizeBytes, map.count]).toEqual([0, 0]);
});

test("a value that grows makes room for itself, or goes when it is alone too large", () => {
  const map = filled("a", "b", "c");
  map.grow("a", "a", 10);
  expect(keysOf(map)).toEqual(["a", "c"]);
  map.grow("a", "a", 100);
  expect(keysOf(map)).toEqual(["c"]);
  expect(map.sizeBytes).toBe(10);
});

test("a value that is not kept any more does not grow", () => {
  const map = new SizedMap<object>(30);
  const [before, after] = [{}, {}];
  map.set("a", before, 10);
  map.set("a", after, 10);
  map.grow("a", before, 10);
  map.grow("b", before, 10);
  expect(map.sizeBytes).toBe(10);
});

test("a value beyond the bound is not kept, and costs no other its place", () => {
  const map = filled("a", "b", "c");
  map.set("d", "d", 31);
  expect(keysOf(map)).toEqual(["a", "b", "c"]);
});

test("never holds more than its bound, whatever is set, asked for and grown", () => {
  const map = new SizedMap<string>(1000);
  for (let step = 0; step < 20_000; step++) {
    const key = String((step * 7919) % 211);
    if (step % 3 === 0) map.get(key);
    else if (step % 5 === 0) map.grow(key, key, step % 40);
    else map.set(key, key, (step * 31) % 300);
    expect(map.sizeBytes).toBeLessThanOrEqual(1000);
  }
  expect(map.count).toBeGreaterThan(1);
});
