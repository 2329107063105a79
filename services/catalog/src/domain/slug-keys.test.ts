import { expect, it } from "vitest";
import { slugKeys } from "./slug-keys.ts";

it.each([
  [
    "its own slugs, each once",
    { productSlug: "a", urlSlug: "b", pageSlugs: ["a", "c"] },
    ["a", "b", "c"],
  ],
  ["what /home completes", { productSlug: "a/home", pageSlugs: [] }, ["a/home", "a"]],
  ["one level of /home only", { urlSlug: "a/home/home", pageSlugs: [] }, ["a/home/home", "a/home"]],
  ["no empty slug", { productSlug: "", urlSlug: "/home", pageSlugs: [] }, ["/home"]],
  ["nothing for a pre-purchase offer", { prePurchase: true, urlSlug: "a", pageSlugs: ["b"] }, []],
  [
    "nothing over 512 characters",
    { urlSlug: "x".repeat(513), pageSlugs: ["😀".repeat(512)] },
    ["😀".repeat(512)],
  ],
])("returns %s", (_, offer, keys) => {
  expect(slugKeys(offer)).toEqual(keys);
});
