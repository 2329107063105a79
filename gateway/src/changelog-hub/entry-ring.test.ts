import { expect, test } from "vitest";
import { EntryRing } from "./entry-ring.ts";

const blocks = (...ids: string[]) => ids.map((id) => ({ id, bytes: Buffer.from(`${id};`) }));
const readAll = (ring: EntryRing, place: number): string => {
  let text = "";
  for (let at = place; ;) {
    const found = ring.read(at);
    if (found === undefined || found === "gone") return text + (found ?? "");
    text += found.bytes.toString();
    at = found.place;
  }
};

test("a ring is read from any place on, also within what came at once", () => {
  const ring = new EntryRing("e0", 1000);
  expect(ring.placeAfter("e0")).toBe(0);
  ring.append(blocks("e1", "e2", "e3"));
  ring.append(blocks("e4"));
  expect(ring.newestId).toBe("e4");
  const places = ["e0", "e1", "e2", "e3", "e4"].map((id) => ring.placeAfter(id) ?? -1);
  expect(places.map((place) => readAll(ring, place))).toEqual([
    "e1;e2;e3;e4;",
    "e2;e3;e4;",
    "e3;e4;",
    "e4;",
    "",
  ]);
  expect(ring.read(1)).toMatchObject({ place: 3, id: "e3" });
});

test("a full ring gives up its oldest entries, and can be joined after the last of those", () => {
  const ring = new EntryRing("e0", 8);
  ring.append(blocks("e1", "e2"));
  ring.append(blocks("e3"));
  ring.append(blocks("e4"));
  expect(ring.sizeBytes).toBe(6);
  expect(["e0", "e1"].map((id) => ring.placeAfter(id))).toEqual([undefined, undefined]);
  expect(readAll(ring, ring.placeAfter("e2") ?? -1)).toBe("e3;e4;");
  expect(ring.read(1)).toBe("gone");
  ring.append(blocks("longer than the ring"));
  expect(readAll(ring, ring.placeAfter("e4") ?? -1)).toBe("longer than the ring;");
  expect(ring.placeAfter("e3")).toBeUndefined();
});

test("a ring whose start is not known is joined after its first entry at the earliest", () => {
  const ring = new EntryRing("", 1000);
  expect(ring.newestId).toBe("");
  ring.append(blocks("e1", "e2"));
  expect(ring.placeAfter("")).toBeUndefined();
  expect(readAll(ring, ring.placeAfter("e1") ?? -1)).toBe("e2;");
});
