import type { Embedder, EmbeddingContext, OfferText } from "../embedder/embedder.ts";
import type { OfferVector } from "../engine/index-documents.ts";

/** The vectors of offers. Errors are those of the embedder. */
export async function embedOffers(
  embedder: Embedder,
  texts: readonly OfferText[],
  context: EmbeddingContext,
): Promise<OfferVector[]> {
  if (texts.length === 0) return [];
  const vectors = await embedder.embedOffers(texts, context);
  return texts.map(({ offerId }, index) => {
    const vector = vectors[index];
    if (vector === undefined) throw new Error("an embedder gives one vector for each text");
    return { offerId, vector };
  });
}
