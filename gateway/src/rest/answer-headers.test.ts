import { expect, test } from "vitest";
import { keptHeaders } from "./answer-headers.ts";
import type { Endpoint } from "./endpoint.ts";

test("kept answers of a deprecated operation say so whoever they are for", () => {
  const endpoint: Endpoint = {
    method: "GET",
    path: "/old",
    operation: "old",
    storable: true,
    takesCountry: false,
    deprecationHeaders: ["Deprecation", "@1"],
    ask: () => Promise.reject(new Error("not asked")),
  };
  const { shared, private: own } = keptHeaders(endpoint, false);
  expect(shared.slice(-2)).toEqual(["Deprecation", "@1"]);
  expect(own.slice(-2)).toEqual(["Deprecation", "@1"]);
});
