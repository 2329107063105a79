import { createBuiltinEmbedder } from "@storefront/service-search";
import type { Catalogue } from "./catalogues.ts";
import type { JudgedQuery } from "./judged-queries.ts";
import { ndcgAt10 } from "./measures.ts";
import { startIndex } from "./start-index.ts";
import type { EngineMaker } from "./start-index.ts";

/** nDCG@10 of a query by words alone, by vectors alone, and as it is served. */
export interface Quality {
  readonly fullText: number;
  readonly builtin: number;
  readonly hybrid: number;
}

/** A catalogue that is indexed with its vectors. */
export interface OpenCatalogue {
  readonly catalogue: Catalogue;
  measure(query: JudgedQuery): Promise<Quality>;
  close(): Promise<void>;
}

/** Offers to request, so that ten remain when those of unknown relevance are removed. */
const hitCount = 200;

/** Trains an embedder with a catalogue's texts and indexes it. */
export async function openCatalogue(
  createEngine: EngineMaker,
  catalogue: Catalogue,
): Promise<OpenCatalogue> {
  const { offers, texts } = catalogue;
  const embedder = createBuiltinEmbedder();
  async function* all() {
    yield* texts;
  }
  const trained = await embedder.train?.(all());
  const embedded = await embedder.embedOffers(texts, { trained });
  const { dimensions } = embedder;
  const vectors = embedded.map((vector, at) => ({ offerId: texts[at]?.offerId ?? "", vector }));
  const index = await startIndex(createEngine, offers, { vectors, dimensions });
  const nothing = new Float32Array(dimensions);
  return {
    catalogue,
    close: () => index.close(),
    async measure(query) {
      const judged = offers.filter((offer) => query.isJudged(offer));
      const isRelevant = new Map(
        judged.map((offer) => [offer.offerId, query.isRelevant(offer)] as const),
      );
      const relevantCount = [...isRelevant.values()].filter(Boolean).length;
      const quality = async (text: string, vector: Float32Array) => {
        const vectorIn = async () => ({ vector });
        const hits = await index.engine.searchByMeaning({ text, vectorIn, limit: hitCount });
        const found = hits.flatMap(({ offerId }) => isRelevant.get(offerId) ?? []);
        return ndcgAt10(found, relevantCount);
      };
      const [vector = nothing] = await embedder.embedQueries([query.text], { trained });
      return {
        fullText: await quality(query.text, nothing),
        builtin: await quality("", vector),
        hybrid: await quality(query.text, vector),
      };
    },
  };
}
