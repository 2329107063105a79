import { expect, it } from "vitest";
import { parseFreeGamesParams } from "./free-games-params.ts";

it.each([
  [{}, {}],
  [
    { state: "past", platform: "ios", page: "3" },
    { state: "past", platform: "ios", page: 3 },
  ],
  [{ state: "current", page: "1" }, {}],
  [{ state: "sometime", platform: "toaster", page: "x" }, {}],
])("reads %j as %j", (raw, params) => {
  expect(parseFreeGamesParams(raw)).toEqual(params);
});
