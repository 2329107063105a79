import { expect, it } from "vitest";
import { fieldName, valueText } from "./entry-list.tsx";

it.each([
  [null, "nothing"],
  [undefined, "nothing"],
  ["", "empty"],
  ["A title", "A title"],
  ["2026-03-16T19:05:41.000Z", "2026-03-16 19:05"],
  [["a", "b"], "a, b"],
  [[], "none"],
  [true, "yes"],
  [1999, "1999"],
  [
    [
      { id: "1", name: "Action" },
      { id: "2", name: "Racing" },
    ],
    "Action, Racing",
  ],
  [{ namespace: "ns", isActive: false }, "Namespace: ns; Is active: no"],
])("shows %j as %s", (value, text) => {
  expect(valueText(value)).toBe(text);
});

it("names a member in words", () => {
  expect(fieldName("developerDisplayName")).toBe("Developer display name");
});

it("truncates long texts", () => {
  const text = valueText("x".repeat(1000));
  expect(text).toHaveLength(160);
  expect(text.endsWith("…")).toBe(true);
});
