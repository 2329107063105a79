import type { Embedder } from "../embedder.ts";
import { readCorpus } from "./corpus.ts";
import { findSubspace } from "./find-subspace.ts";
import { decodeModel, encodeModel, TermSpace } from "./term-model.ts";
import { offerTerms, queryTerms } from "./text-terms.ts";

const dimensions = 128;

/** Written in one transaction: short enough for feeds and, on PGlite, readers. */
const batchSize = 200;

/**
 * An embedder trained on the catalogue only: words that occur with the same words and tags are near one another (latent
 * semantic analysis of titles, tags, descriptions and makers). It is not a language model. Untrained, texts are near
 * when they share words. Never fails; deterministic on every machine.
 */
export function createBuiltinEmbedder(): Embedder {
  const untrained = new TermSpace({
    dimensions,
    terms: [],
    rarity: new Float32Array(),
    vectors: new Float32Array(),
  });
  const spaces = new WeakMap<Uint8Array, TermSpace>();
  const spaceOf = (trained: Uint8Array | undefined) => {
    if (trained === undefined) return untrained;
    const known = spaces.get(trained) ?? new TermSpace(decodeModel(trained));
    spaces.set(trained, known);
    return known;
  };
  return {
    model: `builtin:2:${dimensions}`,
    dimensions,
    batchSize,
    async train(offers) {
      const corpus = await readCorpus(offers);
      const { terms, rarity } = corpus;
      return encodeModel({
        dimensions,
        terms,
        rarity,
        vectors: await findSubspace(corpus, dimensions),
      });
    },
    async embedQueries(texts, { trained }) {
      const space = spaceOf(trained);
      return texts.map((text) => space.vectorOf(queryTerms(text)));
    },
    async embedOffers(offers, { trained }) {
      const space = spaceOf(trained);
      return offers.map((offer) => space.vectorOf(offerTerms(offer)));
    },
  };
}
