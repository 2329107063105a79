import { expect, it } from "vitest";
import { snapshotChange } from "./snapshot-change.ts";

const early = new Date(1_000);
const late = new Date(2_000);
const present = { isDeletion: false, digest: 7n, observedAt: early };
const deleted = { isDeletion: true, digest: 0n, observedAt: early };
const withoutDigest = { isDeletion: false, digest: undefined, observedAt: early };

it.each([
  ["is new", undefined, { digest: 7n, observedAt: late }, "insert"],
  ["was deleted before", deleted, { digest: 7n, observedAt: late }, "insert"],
  ["is deleted", present, { digest: 0n, observedAt: late }, "delete"],
  ["differs", present, { digest: 8n, observedAt: late }, "update"],
  ["was only observed again", present, { digest: 7n, observedAt: late }, undefined],
  ["is known to be deleted", deleted, { digest: 0n, observedAt: late }, undefined],
  ["never existed", undefined, { digest: 0n, observedAt: late }, undefined],
  [
    "was observed later and has no digest",
    withoutDigest,
    { digest: 7n, observedAt: late },
    "update",
  ],
  ["was not observed later", withoutDigest, { digest: 7n, observedAt: early }, undefined],
])("finds the change of a record that %s", (_, logged, shown, expected) => {
  expect(snapshotChange(logged, shown)).toBe(expected);
});
