import { expect, it } from "vitest";
import { kinds } from "./kinds.ts";

it("has every kind of the import format with the identity of its records", () => {
  const listed = [...kinds.values()].map(({ name, service, identity }) => [
    name,
    service,
    ...identity,
  ]);
  expect(listed).toEqual([
    ["sandbox", "catalog", "id"],
    ["tag", "catalog", "id"],
    ["offer", "catalog", "id"],
    ["offerText", "catalog", "offerId", "locale"],
    ["item", "catalog", "id"],
    ["asset", "catalog", "artifactId", "platform", "namespace"],
    ["build", "catalog", "id"],
    ["offerDetails", "catalog", "offerId"],
    ["ageRating", "catalog", "namespace", "ratingSystem"],
    ["ranking", "catalog", "collection", "offerId"],
    ["price", "pricing", "offerId", "region"],
    ["giveaway", "pricing", "id"],
    ["region", "pricing", "id"],
    ["review", "reviews", "id"],
    ["entrySubject", "changelog", "type", "key"],
    ["entry", "changelog", "id"],
    ["savedQuery", "search", "id"],
  ]);
});
