import { generateCatalogue } from "@storefront/sample-data";
import { beforeAll, expect, it } from "vitest";
import type { OfferText } from "../embedder.ts";
import { createBuiltinEmbedder } from "./create-builtin-embedder.ts";
import { stem } from "./text-terms.ts";

const embedder = createBuiltinEmbedder();
const newest = new Map(
  generateCatalogue({ offers: 1_500, seed: 4, now: new Date("2024-01-01") })
    .filter(({ kind }) => kind === "offer")
    .map(({ record }) => textOf(record as Parameters<typeof textOf>[0]))
    .map((text) => [text.offerId, text]),
);
const offers = [...newest.values()];

function textOf(record: {
  id: string;
  title: string;
  description?: string | null;
  tags: readonly { name: string }[];
}): OfferText {
  const { id, title, description, tags } = record;
  return {
    offerId: id,
    title,
    description: description ?? "",
    tags: tags.map(({ name }) => name),
    developer: "",
    publisher: "",
  };
}

async function train(texts: readonly OfferText[]): Promise<Uint8Array> {
  async function* all() {
    yield* texts;
  }
  return (await embedder.train?.(all())) ?? new Uint8Array();
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return Number.NaN;
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

let trained: Uint8Array;
beforeAll(async () => {
  trained = await train(offers);
});

it("is deterministic for a catalogue", async () => {
  const again = await train(offers);
  expect(Buffer.compare(again, trained)).toBe(0);
  const texts = ["a quiet farm", "原神", "!?"];
  const other = createBuiltinEmbedder();
  expect(await other.embedQueries(texts, { trained: again })).toEqual(
    await embedder.embedQueries(texts, { trained }),
  );
});

it.each(["trained", "untrained"])(
  "returns vectors of unit length for any text, %s",
  async (state) => {
    const context = { trained: state === "trained" ? trained : undefined };
    const texts = ["", "the", "a quiet farm", "원신 🎮", "x".repeat(10_000), "zzqqxx"];
    const vectors = await embedder.embedQueries(texts, context);
    for (const vector of vectors) {
      expect(vector).toHaveLength(embedder.dimensions);
      expect(cosine(vector, vector)).toBeCloseTo(1, 4);
    }
  },
);

it.each([0, 1, 3])("trains on a catalogue of %i offers", async (count) => {
  const few = await train(offers.slice(0, count));
  const [vector] = await embedder.embedQueries(["a quiet farm"], { trained: few });
  expect(cosine(vector, vector)).toBeCloseTo(1, 4);
});

it.each([
  ["watermill", "geese", "tarmac"],
  ["opera", "telegram", "pumpkin"],
  ["paladin", "squire", "kart"],
  ["raccoons", "drummer", "tarmac"],
])("puts %s near %s, which share neighbouring words but no text, and not %s", async (...words) => {
  const [a, b, other] = words;
  const texts = offers.map(({ title, description }) => `${title} ${description}`.toLowerCase());
  expect(texts.filter((text) => text.includes(a) && text.includes(b))).toEqual([]);
  const [vector, near, far] = await embedder.embedQueries([a, b, other], { trained });
  expect(cosine(vector, near)).toBeGreaterThan(cosine(vector, far) + 0.2);
});

it.each([
  ["racing", "races"],
  ["running", "run"],
  ["stories", "story"],
  ["farmer", "farming"],
  ["puzzles", "puzzle"],
  ["explored", "explore"],
])("gives %s and %s the same stem", (a, b) => {
  expect(stem(a)).toBe(stem(b));
});
