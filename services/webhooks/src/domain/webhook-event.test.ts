import { expect, it } from "vitest";
import { entrySource, priceSource, sourcesOf } from "./webhook-event.ts";

const queryId = "bc9821a57941808b4c15abdfe08544b4";

it.each([
  [{ events: ["entry", "price"] as const, country: "DE" }, [entrySource, priceSource]],
  [
    { events: ["query"] as const, queryId, country: "DE" },
    [`/queries/${queryId}/stream?country=DE`],
  ],
  // The gateway's default country.
  [{ events: ["query"] as const, queryId }, [`/queries/${queryId}/stream`]],
  [
    { events: ["query"] as const, queryId: "../a?b", country: "D&E" },
    ["/queries/..%2Fa%3Fb/stream?country=D%26E"],
  ],
])("streams of %j", (subscription, sources) => {
  expect(sourcesOf(subscription)).toEqual(sources);
});
