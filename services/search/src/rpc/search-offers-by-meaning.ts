import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { isLongerThan, RequestCheck, ServiceError } from "@storefront/rpc";
import type { Embedder } from "../embedder/embedder.ts";
import type { MeaningHit } from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { TrainingStore } from "../store/training-store.ts";
import type { SearchHandlers } from "./handlers.ts";

const limits = { defaultSize: 10, maxSize: 50 };
const maxTextLength = 500;

/** What a search by meaning needs. */
export interface MeaningDependencies {
  engine: SearchEngine;
  /** Undefined when nothing is embedded. */
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

    if (deps.embedder === undefined) throw embeddingNotConfigured();
    return { matches: [...(await search(deps, deps.embedder, { text, limit, signal }))] };
  };
}

/** Asks again when the embedder learned anew meanwhile: vectors of two trainings do not compare. */
async function search(
  { engine, trainings }: MeaningDependencies,
  embedder: Embedder,
  { text, limit, signal }: { text: string; limit: number; signal: AbortSignal },
): Promise<readonly MeaningHit[]> {
  const liveTraining = async () => {
    if (embedder.train === undefined) return 0n;
    const live = await engine.liveGeneration();
    return live === undefined ? 0n : await trainings.numberOf(live);
  };
  for (let training = await liveTraining(); ;) {
    const trained = await trainings.read(training);
    const [vector] = await embedder.embedQueries([text], { trained, signal });
    if (vector === undefined) throw new Error("an embedder gives one vector for each text");
    const hits = await engine.searchByMeaning({ text, vector, limit });
    const now = await liveTraining();
    if (now === training) return hits;
    training = now;
  }
}

function embeddingNotConfigured(): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.EMBEDDING_NOT_CONFIGURED,
    message: "no embedding is configured",
  });
}
