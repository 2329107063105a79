import { fromJson } from "@bufbuild/protobuf";
import type { JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { hydrateValue } from "./changelog-entry.ts";

const value = (json: JsonValue | undefined) =>
  json === undefined ? undefined : fromJson(ValueSchema, json);

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

const cases: [
  why: string,
  canonical: JsonValue | undefined,
  raw: JsonValue | undefined,
  hydrated: JsonValue | undefined,
][] = [
  ["canonical before raw", "a", '"b"', "a"],
  ["canonical although null", null, '"b"', null],
  ["canonical text as it is", '{"a":1}', undefined, '{"a":1}'],
  ["absent when there is neither", undefined, undefined, undefined],
  ["raw null as null", undefined, null, null],
  ["raw number as it is", undefined, 1.5, 1.5],
  ["raw object as it is", undefined, { a: '"b"' }, { a: '"b"' }],
  ["raw text that is JSON, parsed", undefined, '{"a":[1,null]}', { a: [1, null] }],
  ["raw text that is JSON of a text, parsed once", undefined, String.raw`"\"b\""`, '"b"'],
  ["raw text null, parsed", undefined, "null", null],
  ["raw text that is no JSON, as it is", undefined, "{a:1}", "{a:1}"],
  ["raw empty text, as it is", undefined, "", ""],
  ["raw text too deep to be written, as it is", undefined, deep(200_000), deep(200_000)],
];

test.for(cases)("a value is %s", ([, canonical, raw, hydrated]) => {
  expect(hydrateValue(value(canonical), value(raw))).toEqual(hydrated);
});
