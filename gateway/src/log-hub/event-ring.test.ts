import { expect, test } from "vitest";
import { EventRing } from "./event-ring.ts";

const blocks = (...ids: string[]) => ids.map((id) => ({ id, bytes: Buffer.from(`${id};`) }));
const readAll = (ring: EventRing, position: number): string => {
  let text = "";
  for (let at = position; ;) {
    const found = ring.read(at);
    if (found === undefined || found === "gone") return text + (found ?? "");
    text += found.bytes.toString();
    at = found.position;
  }
};

test("a ring can be read from any position, also within a batch", () => {
  const ring = new EventRing("e0", 1000);
  expect(ring.positionAfter("e0")).toBe(0);
  ring.append(blocks("e1", "e2", "e3"));
  ring.append(blocks("e4"));
  expect(ring.newestId).toBe("e4");
  const positions = ["e0", "e1", "e2", "e3", "e4"].map((id) => ring.positionAfter(id) ?? -1);
  expect(positions.map((position) => readAll(ring, position))).toEqual([
    "e1;e2;e3;e4;",
    "e2;e3;e4;",
    "e3;e4;",
    "e4;",
    "",
  ]);
  expect(ring.read(1)).toMatchObject({ position: 3, id: "e3" });
});

test("a full ring drops its oldest events, and can be joined after the last of them", () => {
  const ring = new EventRing("e0", 8);
  ring.append(blocks("e1", "e2"));
  ring.append(blocks("e3"));
  ring.append(blocks("e4"));
  expect(ring.sizeBytes).toBe(6);
  expect(["e0", "e1"].map((id) => ring.positionAfter(id))).toEqual([undefined, undefined]);
  expect(readAll(ring, ring.positionAfter("e2") ?? -1)).toBe("e3;e4;");
  expect(ring.read(1)).toBe("gone");
  ring.append(blocks("longer than the ring"));
  expect(readAll(ring, ring.positionAfter("e4") ?? -1)).toBe("longer than the ring;");
  expect(ring.positionAfter("e3")).toBeUndefined();
});

test("a ring with an unknown start can be joined after its first event at the earliest", () => {
  const ring = new EventRing("", 1000);
  expect(ring.newestId).toBe("");
  ring.append(blocks("e1", "e2"));
  expect(ring.positionAfter("")).toBeUndefined();
  expect(readAll(ring, ring.positionAfter("e1") ?? -1)).toBe("e2;");
});

test("a ring returns the events of one topic, and the position after those of others", () => {
  const ring = new EventRing("e0", 1000);
  const topics = ["US", "EURO", "US", "EURO"];
  const topical = blocks("e1", "e2", "e3", "e4").map((block, index) => ({
    ...block,
    topic: topics[index] ?? "",
  }));
  ring.append(topical);
  const read = (position: number, topic: string) => {
    const found = ring.read(position, topic);
    return typeof found === "object" ? { ...found, bytes: found.bytes.toString() } : found;
  };
  expect(read(0, "US")).toEqual({ bytes: "e1;e3;", position: 4, id: "e4", holdsLast: false });
  expect(read(1, "US")).toEqual({ bytes: "e3;", position: 4, id: "e4", holdsLast: false });
  expect(read(2, "EURO")).toEqual({ bytes: "e4;", position: 4, id: "e4", holdsLast: true });
  expect(read(4, "US")).toBeUndefined();
});

test("an event that ends the past drops all events before it, also those of its batch", () => {
  const ring = new EventRing("e0", 1000);
  ring.append(blocks("e1", "e2"));
  const [before, ending, after] = blocks("e3", "e4", "e5");
  ring.append([before, ending && { ...ending, endsPast: true }, after].filter((each) => !!each));
  expect(ring.sizeBytes).toBe(6);
  expect(["e0", "e1", "e2"].map((id) => ring.positionAfter(id))).toEqual(Array(3).fill(undefined));
  expect(ring.read(1)).toBe("gone");
  expect(readAll(ring, ring.positionAfter("e3") ?? -1)).toBe("e4;e5;");
});
