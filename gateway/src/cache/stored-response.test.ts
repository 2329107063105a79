import { expect, test } from "vitest";
import { Representations } from "../http/representations.ts";
import { chooseFreshMs, freshen } from "./stored-response.ts";
import type { StoredResponse } from "./stored-response.ts";

const headers = { shared: ["Cache-Control", "public"], private: ["Cache-Control", "private"] };

const storedAt = (
  madeAt: number,
  body: string,
  more: Partial<StoredResponse> = {},
): StoredResponse => ({
  representations: new Representations(Buffer.from(body), headers),
  reads: [["catalog", ["offer:a", "offer:b"]]],
  isFollowed: true,
  freshMs: 60_000,
  madeAt,
  endsAt: Number.POSITIVE_INFINITY,
  begunAt: { catalog: { sequence: madeAt, identity: "" } },
  version: madeAt,
  isCurrent: true,
  isTouched: false,
  retryAt: 0,
  ...more,
});

const body = JSON.stringify({ title: "x".repeat(2000) });

test("a response is freshened by a newer one with the same content, and keeps its encoded forms", async () => {
  const stored = storedAt(1, body, { isCurrent: false, retryAt: 7 });
  const encoded = await stored.representations.prepare("br", "shared");
  const newer = storedAt(2, body);
  expect(freshen(stored, newer)).toBe(true);
  expect(stored).toMatchObject({ ...newer, representations: stored.representations });
  expect(stored.representations.ready("br", "shared")).toBe(encoded);
});

test.each<[what: string, newer: StoredResponse]>([
  ["has another body", storedAt(2, "{}")],
  ["was made from other records", storedAt(2, body, { reads: [["catalog", ["offer:a"]]] })],
  ["was made from records without a feed", storedAt(2, body, { isFollowed: false })],
])("a response is not freshened by one that %s", (_what, newer) => {
  const stored = storedAt(1, body);
  expect(freshen(stored, newer)).toBe(false);
  expect(stored).toMatchObject({ madeAt: 1, version: 1, begunAt: { catalog: { sequence: 1 } } });
});

test("responses made together do not all expire together, and none expires late", () => {
  const chosenMs = Array.from({ length: 1000 }, chooseFreshMs).toSorted((a, b) => a - b);
  expect(chosenMs.at(0)).toBeGreaterThanOrEqual(30_000);
  expect(chosenMs.at(-1)).toBeLessThanOrEqual(60_000);
  const perSecond = Map.groupBy(chosenMs, (ms) => Math.floor(ms / 1000));
  expect(Math.max(...[...perSecond.values()].map(({ length }) => length))).toBeLessThan(100);
});
