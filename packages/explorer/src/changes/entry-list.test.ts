import { expect, it } from "vitest";
import { valueText } from "./entry-list.tsx";

it.each([
  [null, "nothing"],
  [undefined, "nothing"],
  ["", "empty"],
  ["A title", "A title"],
  ["2026-03-16T19:05:41.000Z", "2026-03-16 19:05"],
  [["a", "b"], "a, b"],
  [[], "none"],
  [true, "true"],
  [{ id: "1" }, '{"id":"1"}'],
])("shows %j as %s", (value, text) => {
  expect(valueText(value)).toBe(text);
});

it("cuts what is long", () => {
  const text = valueText("x".repeat(1000));
  expect(text).toHaveLength(160);
  expect(text.endsWith("…")).toBe(true);
});
