import { expect, test } from "vitest";
import type { Endpoint } from "./endpoint.ts";
import { deprecationHeadersOf, responseHeaders } from "./response-headers.ts";

test("stored responses of a deprecated operation say so for each audience", () => {
  const endpoint: Endpoint = {
    method: "GET",
    path: "/old",
    operation: "old",
    storable: true,
    deprecated: { since: "1970-01-01T00:00:01Z" },
    ask: () => Promise.reject(new Error("not asked")),
  };
  const { shared, private: own } = responseHeaders(endpoint, false).stored;
  expect(shared.slice(-2)).toEqual(["Deprecation", "@1"]);
  expect(own?.slice(-2)).toEqual(["Deprecation", "@1"]);
});

test("`Deprecation` is a date of structured fields, `Sunset` an HTTP date", () => {
  // The examples of RFC 9745 and RFC 8594.
  const examples = { since: "2023-06-30T23:59:59Z", sunset: "2018-12-31T23:59:59Z" };
  expect(deprecationHeadersOf({ deprecated: examples })).toEqual([
    "Deprecation",
    "@1688169599",
    "Sunset",
    "Mon, 31 Dec 2018 23:59:59 GMT",
  ]);
});

test("an undecided sunset has no header", () => {
  expect(deprecationHeadersOf({ deprecated: { since: "1970-01-02" } })).toEqual([
    "Deprecation",
    "@86400",
  ]);
});
