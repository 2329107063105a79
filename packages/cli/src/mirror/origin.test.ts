import { expect, test } from "vitest";
import { retryAfterMsOf } from "./origin.ts";

test.for([
  { header: null, ms: 0 },
  { header: "5", ms: 5000 },
  { header: "86400", ms: 600_000 },
  { header: "Wed, 21 Oct 2026 07:28:00 GMT", ms: 0 },
])("an origin with Retry-After $header is not called for $ms ms", ({ header, ms }) => {
  expect(retryAfterMsOf(header)).toBe(ms);
});
