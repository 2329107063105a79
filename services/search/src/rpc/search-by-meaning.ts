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
import { aggregationFaults, aggregationsAsked, aggregationsMessage } from "./search.ts";

/** What a search by meaning needs. */
export interface MeaningDependencies {
  database: Database;
  engine: SearchEngine;
  /** Undefined when nothing is embedded, or the engine embeds by itself. */
  embedder: Embedder | undefined;
  /** What the embedder learned. */
  trainings: TrainingStore;
}

/** What is wrong with a request: a region is needed where there is something to look up in it. */
export function meaningFaults({
  query,
  region,
  aggregations,
}: SearchOffersByMeaningRequest): FieldViolation[] {
  const isNeeded = query !== undefined || aggregationsAsked(aggregations, []).length > 0;
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
    const aggregations = aggregationsAsked(request.aggregations, []);

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

/** Nothing is sorted, so nothing is left out for how it would be. */
function filterOf(query: OfferQuery): OfferFilter {
  return offerFilter({ ...canonicalQuery(query), sort: OfferSort.UNSPECIFIED });
}

async function search(
  deps: MeaningDependencies,
  asked: TextMeaningSearch,
  signal: AbortSignal,
): Promise<readonly MeaningHit[]> {
  const { engine, embedder } = deps;
  if (embedder !== undefined) return await searchByVector(deps, embedder, asked, signal);
  if (engine.ownEmbedding === undefined) throw embeddingNotConfigured();
  return await engine.ownEmbedding.searchByMeaning(asked);
}

/**
 * Vectors of two models, or of two trainings of one, do not compare. So what the vectors of a generation
 * were made with is read before the query is embedded for them and again when they are ranked: numbers of
 * trainings and generations are never used twice, so where both are the same so was all between. The
 * search starts over when the embedder learned again meanwhile.
 */
async function searchByVector(
  { engine, trainings }: MeaningDependencies,
  embedder: Embedder,
  asked: TextMeaningSearch,
  signal: AbortSignal,
): Promise<readonly MeaningHit[]> {
  for (;;) {
    let isStill = async (): Promise<boolean> => false;
    const vectorIn = async (generation: number): Promise<QueryVector> => {
      const answering = await trainings.answering(generation);
      if (answering?.model !== embedder.model) {
        throw new OtherModelError(embedder.model, answering?.model);
      }
      const { space } = answering;
      const trained = await trainings.read(space.training);
      const [vector] = await embedder.embedQueries([asked.text], { trained, signal });
      if (vector === undefined) throw new Error("an embedder gives one vector for each text");
      isStill = async () => {
        const now = await trainings.answering(generation);
        return now?.model === embedder.model && now.space.training === space.training;
      };
      return { vector, space };
    };
    const hits = await engine.searchByMeaning({ ...asked, vectorIn });
    if (await isStill()) return hits;
  }
}

function embeddingNotConfigured(): ServiceError {
  return new ServiceError({
    code: Code.FailedPrecondition,
    reason: ErrorReason.EMBEDDING_NOT_CONFIGURED,
    message: "no embedding is configured",
  });
}

/** Counts over offers by id, out of what indexes are made of: the same whatever engine found them. */
export async function countMatches(
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
