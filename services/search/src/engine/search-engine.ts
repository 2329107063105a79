import type { Transaction } from "@storefront/database";
import type { Region } from "@storefront/domain/identifiers";
import type { OfferText } from "../embedder/embedder.ts";
import type { IndexWrites, VectorSet } from "./index-documents.ts";
import type {
  EntryHits,
  EntrySearch,
  FacetCounts,
  MeaningHit,
  MeaningSearch,
  OfferHits,
  OfferListing,
  OfferSearch,
  TextMeaningSearch,
} from "./offer-search.ts";

interface GenerationOptions {
  /** Dimensions of the vectors in its writes; undefined without vectors. */
  readonly dimensions: number | undefined;
}

/** An engine's own embedding, instead of vectors in writes. */
export interface OwnEmbedding {
  /** Name of the model; vectors of different models never mix. */
  readonly model: string;
  /**
   * Embeds offers in a generation; each vector takes effect with the write that has its id in `embedded`.
   *
   * @throws ServiceError UNAVAILABLE, EMBEDDING_FAILED, when the model or its backend fails.
   */
  embedOffers(generation: number, offers: readonly OfferText[]): Promise<void>;
  /** As the engine's `searchByMeaning`; errors also as above. */
  searchByMeaning(search: TextMeaningSearch): Promise<readonly MeaningHit[]>;
}

/** A document that an engine refuses because of its content, so that a retry would fail too. */
export interface RefusedDocument {
  readonly kind: "offer" | "price" | "entry";
  /** Of the offer or the entry. */
  readonly id: string;
  /** Of a price; default all prices of the offer. */
  readonly region?: Region | undefined;
  readonly reason: string;
}

/** A generation was dropped, or the engine has lost it. */
export class GenerationMissingError extends Error {
  override readonly name = "GenerationMissingError";
}

/**
 * An index of offers and changelog entries in generations. One is live and serves; each receives writes, so that a new
 * one is built beside the live one. A method that cannot reach its backend rejects with a ServiceError UNAVAILABLE,
 * DEPENDENCY_UNAVAILABLE.
 */
export interface SearchEngine {
  /** Part of the signature of an index. */
  readonly name: string;
  /** Whether the index is in the service's database, and so lost only together with it. */
  readonly isInDatabase: boolean;
  /** Whether it stores vectors, so that offers are worth embedding; constant once it has resolved. */
  storesVectors(): Promise<boolean>;
  /** Undefined when writes have vectors, or nothing is embedded. */
  readonly ownEmbedding?: OwnEmbedding | undefined;

  /** Resolves when the engine responds. */
  probe(): Promise<void>;
  /** Frees resources, own connections included. */
  close(): Promise<void>;

  /** Creates an empty generation, replacing any leftover with this number. */
  createGeneration(generation: number, options: GenerationOptions): Promise<void>;
  /**
   * Applies writes to a generation. Called in the order of the feeds, one call at a time for each generation, except
   * writes of only vectors.
   *
   * @param tx for an engine in the service's database; undefined for an external one, which writes before it resolves,
   * and is called again when it rejects
   * @param signal aborts a write of an external engine; then it rejects
   * @returns refused documents; all others are written
   * @throws GenerationMissingError when an external engine lacks the generation
   */
  write(
    tx: Transaction | undefined,
    generation: number,
    writes: IndexWrites,
    signal?: AbortSignal,
  ): Promise<readonly RefusedDocument[]>;
  /**
   * Called after vectors of a set were written, to update an index of them. Not limited in time; fast when nothing
   * changed.
   *
   * @param signal aborts it; then it rejects
   */
  indexVectors(generation: number, set: VectorSet, signal?: AbortSignal): Promise<void>;
  /**
   * Called after a bulk load of a generation, for statistics. Not limited in time; called again if the process dies
   * meanwhile.
   *
   * @param signal aborts it; then it rejects
   */
  finishBuilding(generation: number, signal?: AbortSignal): Promise<void>;
  /**
   * Makes a generation live, atomically. An engine in the service's database does so with the transaction, an external
   * one before it resolves. Other processes serve the previous one until it is dropped, or they call `liveGeneration`.
   */
  activate(tx: Transaction | undefined, generation: number): Promise<void>;
  /** The live generation, which this process serves from now on; undefined before the first. */
  liveGeneration(): Promise<number | undefined>;
  /** Deletes a generation that is not live, if it exists. No search fails because of it. */
  dropGeneration(generation: number): Promise<void>;

  /** Searches the live generation. */
  searchOffers(search: OfferSearch): Promise<OfferHits>;
  /**
   * The first ids of a search in the live generation; consistent and in order while nothing is written. Otherwise each
   * offer is consistent at one moment since the call, and an external engine lists pages until two lists in a row are
   * equal. Rejects as above when there are too many concurrent writes.
   */
  listOffers(listing: OfferListing): Promise<readonly string[]>;
  /** Counts facets over all results; of the order only its selection of offers matters. */
  countFacets(
    search: Omit<OfferSearch, "order" | "offset" | "limit" | "aggregations">,
  ): Promise<FacetCounts>;
  searchEntries(search: EntrySearch): Promise<EntryHits>;
  /**
   * Ranks offers by meaning combined with text search: existing offers with a vector, or found by text.
   *
   * @throws ServiceError FAILED_PRECONDITION, EMBEDDING_NOT_CONFIGURED, when it does not store vectors.
   */
  searchByMeaning(search: MeaningSearch): Promise<readonly MeaningHit[]>;
}
