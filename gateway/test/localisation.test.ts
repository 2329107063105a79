import { expect, test } from "vitest";
import { useStack } from "./support/start-stack.ts";

const stack = useStack();

test.for([
  ["en-us", "en-US"],
  ["%20de-de%20", "de-DE"],
  ["zh-hant-tw", "zh-Hant-TW"],
  ["iw", "he"],
  ["", "en-US"],
  ["%20", "en-US"],
])("locale %s is resolved to %s", async ([sent, resolved]) => {
  const { json } = await stack().ask(`/offers/bare?locale=${sent}`);
  expect(json).toHaveProperty("locale", resolved);
});

test.for([
  "d",
  "german",
  "de_DE",
  "de-",
  "de-D",
  "de-DE-toolongsubtag",
  "de-DE-DE",
  "1e-US",
  "de;q=1",
])("locale %s is refused", async (locale) => {
  const { status, json } = await stack().ask(`/offers/full?locale=${locale}`);
  expect(status).toBe(400);
  expect(json).toHaveProperty("error", "INVALID_ARGUMENT");
});
