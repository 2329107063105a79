import { expect, test } from "vitest";
import { PreparedAnswer } from "../http/prepared-answer.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import { renew } from "./renew.ts";

const headers = { shared: ["Cache-Control", "public"], private: ["Cache-Control", "private"] };

const keptAt = (madeAt: number, body: string, more: Partial<KeptAnswer> = {}): KeptAnswer => ({
  prepared: new PreparedAnswer(Buffer.from(body), headers),
  reads: [["catalog", ["offer:a", "offer:b"]]],
  isFollowed: true,
  freshMs: 60_000,
  madeAt,
  begunAt: { catalog: { sequence: madeAt, identity: "" } },
  version: madeAt,
  isCurrent: true,
  retryAt: 0,
  ...more,
});

const body = JSON.stringify({ title: "x".repeat(2000) });

test("an answer that comes out the same is as new, with what was encoded of it", async () => {
  const kept = keptAt(1, body, { isCurrent: false, retryAt: 7 });
  const encoded = await kept.prepared.prepare("br", "shared");
  const again = keptAt(2, body);
  expect(renew(kept, again)).toBe(true);
  expect(kept).toMatchObject({ ...again, prepared: kept.prepared });
  expect(kept.prepared.ready("br", "shared")).toBe(encoded);
});

test.each<[what: string, again: KeptAnswer]>([
  ["has another body", keptAt(2, "{}")],
  ["was made of something else", keptAt(2, body, { reads: [["catalog", ["offer:a"]]] })],
  ["was made of what no feed tells about", keptAt(2, body, { isFollowed: false })],
])("an answer is not renewed by one that %s", (_what, again) => {
  const kept = keptAt(1, body);
  expect(renew(kept, again)).toBe(false);
  expect(kept).toMatchObject({ madeAt: 1, version: 1, begunAt: { catalog: { sequence: 1 } } });
});
