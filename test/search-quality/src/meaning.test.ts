import { createBuiltinEmbedder } from "@storefront/service-search";
import type { OfferDocument } from "@storefront/service-search";
import { expect, it } from "vitest";
import { meaningQueries } from "./meaning-queries.ts";
import type { MeaningQuery } from "./meaning-queries.ts";
import { mean, ndcgAt10 } from "./measures.ts";
import { generatedOffers, textOf } from "./offers.ts";
import { startIndex } from "./start-index.ts";

const embedder = createBuiltinEmbedder();
/** Of several, so that no figure hangs on one catalogue's accidents. */
const catalogues = [1, 2, 3].map((seed) => generatedOffers(1_500, seed));

it("finds far more of what is meant than full text does, and loses nothing by joining it with vectors", async () => {
  const nothing = new Float32Array(embedder.dimensions);
  const qualities: { fullText: number; builtin: number; hybrid: number }[] = [];
  for (const offers of catalogues) {
    const { search, close } = await startSearch(offers);
    try {
      for (const query of meaningQueries) {
        const { text, vector } = await search.ask(query.text);
        qualities.push({
          fullText: await search.quality(query, { text, vector: nothing }),
          builtin: await search.quality(query, { text: "", vector }),
          hybrid: await search.quality(query, { text, vector }),
        });
      }
    } finally {
      await close();
    }
  }
  const fullText = mean(qualities.map((each) => each.fullText));
  const builtin = mean(qualities.map((each) => each.builtin));
  const hybrid = mean(qualities.map((each) => each.hybrid));
  const figures = Object.entries({ fullText, builtin, hybrid });
  const told = figures.map(([name, value]) => `${name} ${value.toFixed(3)}`).join(", ");
  process.stderr.write(`nDCG@10 over ${qualities.length} queries: ${told}\n`);
  expect(hybrid).toBeGreaterThan(fullText + 0.2);
});

it.each(meaningQueries)("asks in other words than the tag's: $text", ({ text, tag }) => {
  const words = (each: string) => each.toLowerCase().split(/[^a-z]+/);
  expect(words(text).filter((word) => words(tag).includes(word))).toEqual([]);
  for (const offers of catalogues) {
    expect(offers.filter((offer) => hasTag(offer, tag)).length).toBeGreaterThan(10);
  }
});

/** An index of offers with their vectors. */
async function startSearch(offers: readonly OfferDocument[]) {
  const texts = offers.map(textOf);
  async function* all() {
    yield* texts;
  }
  const trained = await embedder.train?.(all());
  const embedded = await embedder.embedOffers(texts, { trained });
  const vectors = embedded.map((vector, at) => ({ offerId: texts[at]?.offerId ?? "", vector }));
  const index = await startIndex(offers, {
    vectors,
    dimensions: embedder.dimensions,
  });
  const byId = new Map(offers.map((offer) => [offer.offerId, offer]));
  return {
    close: () => index.close(),
    search: {
      async ask(text: string) {
        const [vector = new Float32Array()] = await embedder.embedQueries([text], { trained });
        return { text, vector };
      },
      async quality({ tag }: MeaningQuery, asked: { text: string; vector: Float32Array }) {
        const hits = await index.engine.searchByMeaning({ ...asked, limit: 10 });
        const relevant = hits.map(({ offerId }) => hasTag(byId.get(offerId), tag));
        return ndcgAt10(relevant, offers.filter((offer) => hasTag(offer, tag)).length);
      },
    },
  };
}

function hasTag(offer: OfferDocument | undefined, tag: string): boolean {
  return offer?.tags.some(({ name }) => name === tag) ?? false;
}
