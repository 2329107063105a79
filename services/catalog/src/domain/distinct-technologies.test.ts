import { expect, it } from "vitest";
import { distinctTechnologies } from "./distinct-technologies.ts";

it("keeps each pair once, ordered by section and name by code point, unnamed ones left out", () => {
  const found = distinctTechnologies([
    { section: "SDK", technology: "b" },
    { technology: "Z" },
    { section: "Engine", technology: "\u{1F600}" },
    { section: "Engine", technology: "\uFF5E" },
    { section: "Engine" },
    { section: "SDK", technology: "B" },
    { section: "SDK", technology: "b" },
  ]);
  expect(found.map(({ section, technology }) => [section, technology])).toEqual([
    ["Engine", "\uFF5E"],
    ["Engine", "\u{1F600}"],
    ["SDK", "B"],
    ["SDK", "b"],
    [undefined, "Z"],
  ]);
});
