import { expect, it } from "vitest";
import { snapshotChange } from "./snapshot-change.ts";

const early = new Date(1_000);
const late = new Date(2_000);
const present = { isDeletion: false, digest: 7n, observedAt: early };
const deleted = { isDeletion: true, digest: 0n, observedAt: early };
const unnoted = { isDeletion: false, digest: undefined, observedAt: early };

it.each([
  ["is told first", undefined, { digest: 7n, observedAt: late }, "insert"],
  ["came back", deleted, { digest: 7n, observedAt: late }, "insert"],
  ["is gone", present, { digest: 0n, observedAt: late }, "delete"],
  ["is another one", present, { digest: 8n, observedAt: late }, "update"],
  ["was only seen again", present, { digest: 7n, observedAt: late }, undefined],
  ["is known to be gone", deleted, { digest: 0n, observedAt: late }, undefined],
  ["was never there", undefined, { digest: 0n, observedAt: late }, undefined],
  ["was seen later, nobody knows as what", unnoted, { digest: 7n, observedAt: late }, "update"],
  ["was not seen later", unnoted, { digest: 7n, observedAt: early }, undefined],
])("tells of a record that %s", (_, logged, shown, expected) => {
  expect(snapshotChange(logged, shown)).toBe(expected);
});
