import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import { OfferSort } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import { SearchOffersByMeaningRequestSchema } from "@storefront/contracts/search/v1/search_service";
import type {
  SearchOffersByMeaningRequest,
  SearchService,
} from "@storefront/contracts/search/v1/search_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Database } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import type { Region } from "@storefront/domain/identifiers";
import { identifier, pageOf, ServiceError } from "@storefront/rpc";
import type { FieldViolation } from "@storefront/rpc";
import { canonicalQuery, usesRatings } from "../domain/canonical-query.ts";
import { countOffers } from "../domain/count-offers.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import type { Embedder } from "../embedder/embedder.ts";
import { OtherModelError } from "../engine/live-generation.ts";
import type {
  AggregationName,
  MeaningHit,
  OfferAggregations,
  OfferFilter,
  QueryVector,
  TextMeaningSearch,
} from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { readDocuments } from "../indexing/index-changes.ts";
import type { TrainingStore } from "../store/training-store.ts";
import { aggregationFaults, requestedAggregations, aggregationsMessage } from "./search.ts";

interface MeaningDependencies {
  database: Database;
  engine: SearchEngine;
  /** Undefined when nothing is embedded, or the engine embeds. */
  embedder: Embedder | undefined;
  /** Trainings of the embedder. */
  trainings: TrainingStore;
}

/** Faults of a request: filters and counts need a region. */
export function meaningFaults({
  query,
  region,
  aggregations,
}: SearchOffersByMeaningRequest): FieldViolation[] {
  const isNeeded = query !== undefined || requestedAggregations(aggregations, []).length > 0;
  const description = isNeeded ? identifier(region) : undefined;
  const fault = description === undefined ? [] : [{ field: "region", description }];
  return [...aggregationFaults(aggregations), ...fault];
}

export function searchOffersByMeaning(
  deps: MeaningDependencies,
): ServiceImpl<typeof SearchService>["searchOffersByMeaning"] {
  return async (request, { signal }) => {
    const { text, query } = request;
    const region = asRegion(request.region);
    const { pageSize: limit } = pageOf(SearchOffersByMeaningRequestSchema, request);
    const aggregations = requestedAggregations(request.aggregations, []);

    const among = query && { filter: filterOf(query), region, nowMs: Date.now() };
    const matches = [...(await search(deps, { text, limit, among }, signal))];
    const ratingApplied = query !== undefined && usesRatings(query);
    const response = { matches, filtered: among !== undefined, ratingApplied };
    if (aggregations.length === 0) return response;
    const ids = matches.map(({ offerId }) => offerId);
    const counts = await countMatches(deps.database, ids, { region, aggregations });
    return { ...response, aggregations: aggregationsMessage(counts) };
  };
}

/** Without a sort, which could exclude offers. */
function filterOf(query: OfferQuery): OfferFilter {
  return offerFilter({ ...canonicalQuery(query), sort: OfferSort.UNSPECIFIED });
}

async function search(
  deps: MeaningDependencies,
  request: TextMeaningSearch,
  signal: AbortSignal,
): Promise<readonly MeaningHit[]> {
  const { engine, embedder } = deps;
  if (embedder !== undefined) return await searchByVector(deps, embedder, request, signal);
  if (engine.ownEmbedding === undefined) throw embeddingNotConfigured();
  return await engine.ownEmbedding.searchByMeaning(request);
}

/**
 * Vectors of different models or trainings are not comparable. So the model and training of a generation's vectors are
 * read before the query is embedded and again after the ranking; as numbers of trainings and generations are never
 * reused, equal numbers mean that nothing changed. The search starts again after a retraining.
 */
async function searchByVector(
  { engine, trainings }: MeaningDependencies,
  embedder: Embedder,
  request: TextMeaningSearch,
  signal: AbortSignal,
): Promise<readonly MeaningHit[]> {
  for (;;) {
    let isUnchanged = async (): Promise<boolean> => false;
    const vectorIn = async (generation: number): Promise<QueryVector> => {
      const vectors = await trainings.liveVectors(generation);
      if (vectors?.model !== embedder.model) {
        throw new OtherModelError(embedder.model, vectors?.model);
      }
      const { space } = vectors;
      const trained = await trainings.read(space.training);
      const [vector] = await embedder.embedQueries([request.text], { trained, signal });
      if (vector === undefined) throw new Error("an embedder gives one vector for each text");
      isUnchanged = async () => {
        const now = await trainings.liveVectors(generation);
        return now?.model === embedder.model && now.space.training === space.training;
      };
      return { vector, space };
    };
    const hits = await engine.searchByMeaning({ ...request, vectorIn });
    if (await isUnchanged()) return hits;
  }
}

function embeddingNotConfigured(): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.EMBEDDING_NOT_CONFIGURED,
    message: "no embedding is configured",
  });
}

/** Counts over offers by id, from the stored sources: the same for every engine. */
async function countMatches(
  database: Database,
  offerIds: readonly string[],
  { region, aggregations }: { region: Region; aggregations: readonly AggregationName[] },
): Promise<Partial<OfferAggregations>> {
  const hasPrices = aggregations.includes("prices");
  const scopes = hasPrices ? offerIds.map((offerId) => ({ offerId, regions: [region] })) : [];
  const { offers = [], prices = [] } = await database.transaction(
    (tx) => readDocuments(tx, { offers: offerIds, prices: scopes }),
    { readOnly: true },
  );
  const inRegion = prices.flatMap((each) => each.prices);
  return countOffers(
    offers,
    inRegion.map(({ discountPrice }) => discountPrice),
    aggregations,
  );
}
