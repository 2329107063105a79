import { describe, expect, it } from "vitest";
import { createObservationClock } from "../src/import/importer.ts";

describe("createObservationClock", () => {
  it("increases strictly for one record, however slow or backward the clock", () => {
    const readings = [10, 10, 10, 9, 12, 12];
    const timeOf = createObservationClock(() => readings.shift() ?? 12);
    const times = [1, 2, 3, 4, 5, 6].map(() => timeOf("a"));
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
  });

  it("does not run ahead of the clock for different records", () => {
    const timeOf = createObservationClock(() => 10);
    expect(Array.from({ length: 1000 }, (_, index) => timeOf(String(index)))).toEqual(
      Array.from({ length: 1000 }, () => 10),
    );
  });
});
