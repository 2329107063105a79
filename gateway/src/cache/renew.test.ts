import { expect, test } from "vitest";
import { Representations } from "../http/representations.ts";
import { renew } from "./renew.ts";
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

test("an answer that comes out the same is as new, with what was encoded of it", async () => {
  const stored = storedAt(1, body, { isCurrent: false, retryAt: 7 });
  const encoded = await stored.representations.prepare("br", "shared");
  const again = storedAt(2, body);
  expect(renew(stored, again)).toBe(true);
  expect(stored).toMatchObject({ ...again, representations: stored.representations });
  expect(stored.representations.ready("br", "shared")).toBe(encoded);
});

test.each<[what: string, again: StoredResponse]>([
  ["has another body", storedAt(2, "{}")],
  ["was made of something else", storedAt(2, body, { reads: [["catalog", ["offer:a"]]] })],
  ["was made of what no feed tells about", storedAt(2, body, { isFollowed: false })],
])("an answer is not renewed by one that %s", (_what, again) => {
  const stored = storedAt(1, body);
  expect(renew(stored, again)).toBe(false);
  expect(stored).toMatchObject({ madeAt: 1, version: 1, begunAt: { catalog: { sequence: 1 } } });
});
