import { expect, test } from "vitest";
import { deprecationHeaders } from "./deprecation-headers.ts";

test("a deprecation is a date of structured fields, a sunset one of HTTP", () => {
  // The examples of RFC 9745 and RFC 8594.
  const examples = { since: "2023-06-30T23:59:59Z", sunset: "2018-12-31T23:59:59Z" };
  expect(deprecationHeaders(examples)).toEqual([
    "Deprecation",
    "@1688169599",
    "Sunset",
    "Mon, 31 Dec 2018 23:59:59 GMT",
  ]);
});

test("nothing is said of a sunset that is undecided", () => {
  expect(deprecationHeaders({ since: "1970-01-02" })).toEqual(["Deprecation", "@86400"]);
});
