import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { changesBetween } from "./changes-between.ts";
import type { MemberTable } from "./changes-between.ts";

const table: MemberTable = {
  members: ["title", "seller", "flag", "keyImages", "tags", "categories", "releaseInfo", "eulaIds"],
  identityLists: { keyImages: ["type", "url"], tags: ["id"], categories: [] },
};

const image = (url: string, width: number) => ({ type: "Wide", url, width });

describe("states that are equal", () => {
  const cases: [string, JsonObject, JsonObject][] = [
    ["null and absent", { title: null }, {}],
    ["an absent and an empty list", {}, { tags: [], releaseInfo: [], eulaIds: [] }],
    ["an absent, an empty and an all-unknown object", {}, { seller: { id: null, name: null } }],
    ["a set in another order", { categories: ["a", "b"] }, { categories: ["b", "a"] }],
    [
      "elements whose unknown members are null or omitted",
      { keyImages: [{ type: "Wide", url: "u", width: null }] },
      { keyImages: [{ type: "Wide", url: "u" }] },
    ],
    [
      "nested lists that are empty or omitted",
      { releaseInfo: [{ id: "1", platform: [] }] },
      { releaseInfo: [{ id: "1" }] },
    ],
    [
      "duplicate elements when the last ones are equal",
      { keyImages: [image("u", 1), image("u", 2)] },
      { keyImages: [image("u", 2)] },
    ],
    [
      "members in another order",
      { seller: { id: "1", name: "n" } },
      { seller: { name: "n", id: "1" } },
    ],
  ];
  it.each(cases)("%s", (_, before, after) => {
    expect(changesBetween(table, before, after)).toEqual([]);
    expect(changesBetween(table, after, before)).toEqual([]);
  });
});

describe("members that are changed as a whole", () => {
  const cases: [string, JsonObject, JsonObject, object][] = [
    [
      "unknown to known is an insert",
      {},
      { title: "a" },
      { changeType: "insert", field: "title", type: "string", newValue: "a" },
    ],
    [
      "known to unknown is a delete with the type of the old value",
      { seller: { id: "1" } },
      { seller: null },
      { changeType: "delete", field: "seller", type: "object", oldValue: { id: "1" } },
    ],
    [
      "an empty string is known",
      { title: "" },
      { title: "a" },
      { changeType: "update", field: "title", type: "string", oldValue: "", newValue: "a" },
    ],
    [
      "false is known",
      { flag: false },
      {},
      { changeType: "delete", field: "flag", type: "boolean", oldValue: false },
    ],
    [
      "filling an empty list is an insert",
      { eulaIds: [] },
      { eulaIds: ["1"] },
      { changeType: "insert", field: "eulaIds", type: "array", newValue: ["1"] },
    ],
    [
      "order matters in plain lists",
      { eulaIds: ["1", "2"] },
      { eulaIds: ["2", "1"] },
      {
        changeType: "update",
        field: "eulaIds",
        type: "array",
        oldValue: ["1", "2"],
        newValue: ["2", "1"],
      },
    ],
  ];
  it.each(cases)("%s", (_, before, after, change) => {
    expect(changesBetween(table, before, after)).toEqual([change]);
  });
});

describe("identity lists", () => {
  it("have one change per added, removed and modified element", () => {
    const before = { keyImages: [image("kept", 1), image("gone", 1), image("wider", 1)] };
    const after = { keyImages: [image("new", 1), image("wider", 2), image("kept", 1)] };
    const changes = changesBetween(table, before, after);
    expect(changes).toHaveLength(3);
    expect(changes).toEqual(
      expect.arrayContaining([
        {
          changeType: "delete",
          field: "keyImages",
          type: "object",
          oldValue: image("gone", 1),
        },
        {
          changeType: "insert",
          field: "keyImages",
          type: "object",
          newValue: image("new", 1),
        },
        {
          changeType: "update",
          field: "keyImages",
          type: "object",
          oldValue: image("wider", 1),
          newValue: image("wider", 2),
        },
      ]),
    );
  });

  it("have the element's own type when it is its identity", () => {
    expect(changesBetween(table, { categories: ["a"] }, { categories: ["b"] })).toEqual([
      { changeType: "delete", field: "categories", type: "string", oldValue: "a" },
      { changeType: "insert", field: "categories", type: "string", newValue: "b" },
    ]);
  });

  it("use the last of two elements with one identity", () => {
    const after = {
      tags: [
        { id: "1", name: "first" },
        { id: "1", name: "last" },
      ],
    };
    expect(changesBetween(table, {}, after)).toEqual([
      { changeType: "insert", field: "tags", type: "object", newValue: { id: "1", name: "last" } },
    ]);
  });
});

it("changes are in the order of the table, whatever the order of the states", () => {
  const after = { eulaIds: ["1"], tags: [{ id: "1" }], title: "t", flag: true };
  expect(changesBetween(table, {}, after).map(({ field }) => field)).toEqual([
    "title",
    "flag",
    "tags",
    "eulaIds",
  ]);
});
