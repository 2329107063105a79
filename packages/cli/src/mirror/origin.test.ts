import { expect, test } from "vitest";
import { wishedMs } from "./origin.ts";

test.for([
  { header: null, ms: 0 },
  { header: "5", ms: 5000 },
  { header: "86400", ms: 600_000 },
  { header: "Wed, 21 Oct 2026 07:28:00 GMT", ms: 0 },
])("an origin that says $header is left alone for $ms ms at least", ({ header, ms }) => {
  expect(wishedMs(header)).toBe(ms);
});
