import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { describe, expect, it } from "vitest";
import { kinds } from "@storefront/import-format";
import { ObservationError, parseLine } from "../src/import/parse-observation.ts";

describe("parseLine", () => {
  it("parses an observation with its defaults", () => {
    expect(parseLine('{"kind":"tag","record":{"id":"1"}}')).toEqual({
      kind: kinds.get("tag"),
      operation: ObservationOperation.UPSERT,
      observedAtMs: undefined,
      record: { id: "1" },
    });
  });

  it("distinguishes restored from observed records", () => {
    const line = (members: object) =>
      parseLine(JSON.stringify({ kind: "tag", record: {}, ...members })).operation;
    expect(line({ restored: true })).toBe(ObservationOperation.RESTORE);
    expect(line({ restored: false, op: "upsert" })).toBe(ObservationOperation.UPSERT);
    expect(line({ restored: true, op: "delete" })).toBe(ObservationOperation.DELETE);
  });

  it("truncates the time to the millisecond", () => {
    const text =
      '{"kind":"tag","op":"delete","observedAt":"2021-03-16T19:05:41.1239Z","record":{}}';
    expect(parseLine(text)).toMatchObject({
      operation: ObservationOperation.DELETE,
      observedAtMs: Date.parse("2021-03-16T19:05:41.123Z"),
    });
  });

  it.each([
    ["is not JSON", "{"],
    ["is not an object", "[]"],
    ["is null", "null"],
    ["has no kind", '{"record":{}}'],
    ["has the name of an object's own member as kind", '{"kind":"constructor","record":{}}'],
    ["has an unknown op", '{"kind":"tag","op":"patch","record":{}}'],
    ["has a string as restored", '{"kind":"tag","restored":"yes","record":{}}'],
    ["has no record", '{"kind":"tag"}'],
    ["has a list as record", '{"kind":"tag","record":[]}'],
    ["has a date without a time", '{"kind":"tag","observedAt":"2021-03-16","record":{}}'],
    [
      "has a time with an offset",
      '{"kind":"tag","observedAt":"2021-03-16T19:05:41+01:00","record":{}}',
    ],
    ["has an invalid day", '{"kind":"tag","observedAt":"2021-02-30T19:05:41Z","record":{}}'],
    ["has a number as time", '{"kind":"tag","observedAt":1,"record":{}}'],
  ])("rejects a line that %s", (_, text) => {
    expect(() => parseLine(text)).toThrow(ObservationError);
  });
});
