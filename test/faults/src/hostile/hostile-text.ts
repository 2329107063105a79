import * as fc from "fast-check";

/** Texts that have broken programs before. */
const notorious = [
  "",
  " ",
  "0",
  "-1",
  "null",
  "undefined",
  "NaN",
  "true",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "toString",
  "..",
  "../../etc/passwd",
  "%",
  "%00",
  "\\",
  "'; drop table offer; --",
  "' or 1=1",
  "$1",
  "%s%n",
  "a:*",
  "a & b | !c",
  "<script>alert(1)</script>",
  "${7*7}",
  "\r\nX-Injected: 1",
  "\u0000",
  "\u202Eabc",
  "\uFEFF",
  "e\u0301\u0323\u0344",
  "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
  "\u{10FFFF}",
  "\uFFFF",
  "İSTANBUL",
  "ß",
  "1e400",
  "9007199254740993",
  "2147483648",
  "99999999999999999999999",
  "0x10",
  "1_000",
  "٣",
  "2026-13-45T25:61:61Z",
  "2026-03-16T19:05:41Z",
  "+275760-09-13T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "a".repeat(256),
  "a".repeat(257),
  "\u{1F600}".repeat(300),
  "a ".repeat(300),
];

/** Any text, often a notorious one; may have lone surrogates. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...notorious) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 600 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units)),
  },
);

/** A text for a path or query: encoded well, encoded badly, or not at all. */
export const hostileEncoded: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: hostileText.map(encoded) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("%", "%z", "%zz", "%ff", "%c3", "%ED%A0%80", "%00", "%0a", "%2F"),
  },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 12 })
      .map((bytes) =>
        Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ maxLength: 20 })
      .map((text) => text.replaceAll(/[^\u0021-\u007e]/g, "").replaceAll("#", "")),
  },
);

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return "%ED%A0%BD";
  }
}
