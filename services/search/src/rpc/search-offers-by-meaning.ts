import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { isLongerThan, RequestCheck, ServiceError } from "@storefront/rpc";
import type { Embedder } from "../embedder/embedder.ts";
import type { MeaningHit } from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { untrainedSpace } from "../engine/vector-space.ts";
import type { TrainingStore } from "../store/training-store.ts";
import type { SearchHandlers } from "./handlers.ts";

const limits = { defaultSize: 10, maxSize: 50 };
const maxTextLength = 500;

/** What a search by meaning needs. */
export interface MeaningDependencies {
  engine: SearchEngine;
  /** Undefined when nothing is embedded, or the engine embeds by itself. */
  embedder: Embedder | undefined;
  /** What the embedder learned. */
  trainings: TrainingStore;
}

export function searchOffersByMeaning(
  deps: MeaningDependencies,
): SearchHandlers["searchOffersByMeaning"] {
  return async ({ text, pageSize }, { signal }) => {
    const check = new RequestCheck();
    check.that(
      "text",
      text.trim() !== "" && !isLongerThan(text, maxTextLength) && !text.includes("\0"),
      `must have 1 to ${maxTextLength} characters`,
    );
    const limit = check.pageSize("page_size", pageSize, limits);
    check.done();

    return { matches: [...(await search(deps, { text, limit, signal }))] };
  };
}

async function search(
  deps: MeaningDependencies,
  asked: { text: string; limit: number; signal: AbortSignal },
): Promise<readonly MeaningHit[]> {
  const { engine, embedder } = deps;
  if (embedder !== undefined) return await searchByVector(deps, embedder, asked);
  if (engine.ownEmbedding === undefined) throw embeddingNotConfigured();
  return await engine.ownEmbedding.searchByMeaning(asked);
}

/** Asks again when the embedder learned anew meanwhile: vectors of two trainings do not compare. */
async function searchByVector(
  { engine, trainings }: MeaningDependencies,
  embedder: Embedder,
  { text, limit, signal }: { text: string; limit: number; signal: AbortSignal },
): Promise<readonly MeaningHit[]> {
  const liveSpace = async () => {
    const live = embedder.train === undefined ? undefined : await engine.liveGeneration();
    return live === undefined ? untrainedSpace : await trainings.spaceOf(live);
  };
  for (let space = await liveSpace(); ;) {
    const trained = await trainings.read(space.training);
    const [vector] = await embedder.embedQueries([text], { trained, signal });
    if (vector === undefined) throw new Error("an embedder gives one vector for each text");
    const hits = await engine.searchByMeaning({ text, vector, space, limit });
    const now = await liveSpace();
    if (now.training === space.training) return hits;
    space = now;
  }
}

function embeddingNotConfigured(): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.EMBEDDING_NOT_CONFIGURED,
    message: "no embedding is configured",
  });
}
