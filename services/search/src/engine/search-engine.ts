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

export interface GenerationOptions {
  /** Number of dimensions of the vectors it is given; undefined when it is given none. */
  readonly dimensions: number | undefined;
}

/** What an engine embeds with by itself, instead of being given vectors. */
export interface OwnEmbedding {
  /** Name of the model; vectors of two models never mix. */
  readonly model: string;
  /**
   * Makes vectors of offers in a generation; each counts from the write that names it in `embedded`.
   *
   * @throws ServiceError UNAVAILABLE, EMBEDDING_FAILED, when the model or its backend fails.
   */
  embedOffers(generation: number, offers: readonly OfferText[]): Promise<void>;
  /** As `searchByMeaning` of the engine. Errors also as above. */
  searchByMeaning(search: TextMeaningSearch): Promise<readonly MeaningHit[]>;
}

/** A document that an engine refuses because of its content: it would refuse it again. */
export interface RefusedDocument {
  readonly kind: "offer" | "price" | "entry";
  /** Of the offer, or of the entry. */
  readonly id: string;
  /** Of a price; default all prices of the offer. */
  readonly region?: Region | undefined;
  readonly reason: string;
}

/** A generation is not there (any more): it was dropped, or the engine has lost it. */
export class GenerationMissingError extends Error {
  override readonly name = "GenerationMissingError";
}

/**
 * An index of offers and changelog entries. It holds generations, of which one is live and serves;
 * each generation takes writes, so that a new one is built beside the live one. Every method that
 * cannot reach what holds the index rejects with a ServiceError UNAVAILABLE, DEPENDENCY_UNAVAILABLE.
 */
export interface SearchEngine {
  /** Which engine: part of the signature of an index. */
  readonly name: string;
  /** Whether the index is in the service's own database, which is lost with it and not without it. */
  readonly isInDatabase: boolean;
  /** Undefined when it is given vectors, or nothing is embedded. */
  readonly ownEmbedding?: OwnEmbedding | undefined;

  /** Resolves when the engine responds. */
  probe(): Promise<void>;
  /** Frees what the engine holds, connections of its own included. */
  close(): Promise<void>;

  /** Makes an empty generation, in place of any leftover with this number. */
  createGeneration(generation: number, options: GenerationOptions): Promise<void>;
  /**
   * Applies writes to a generation. Called in the order of the feeds, never twice at once for one
   * generation, but for writes of vectors alone.
   *
   * @param tx transaction in which an engine in the service's database writes; undefined for another one, which
   *   writes before it resolves, and sees the same writes again when it rejects.
   * @param signal ends it early; then it rejects. Only for an engine outside of the database.
   * @returns documents that were refused; all others are written.
   * @throws GenerationMissingError where there is no such generation outside of the database.
   */
  write(
    tx: Transaction | undefined,
    generation: number,
    writes: IndexWrites,
    signal?: AbortSignal,
  ): Promise<readonly RefusedDocument[]>;
  /**
   * Called after vectors of a set were written: the time for what finds the nearest faster. Takes as long as
   * it takes, and nothing when there is nothing new.
   *
   * @param signal ends it early; then it rejects.
   */
  indexVectors(generation: number, set: VectorSet, signal?: AbortSignal): Promise<void>;
  /**
   * Called after a generation was filled at one go: the time for statistics. Takes as long as it takes, and
   * may be called again when the process has died meanwhile.
   *
   * @param signal ends it early; then it rejects.
   */
  finishBuilding(generation: number, signal?: AbortSignal): Promise<void>;
  /**
   * Serves this generation, for ever. Atomic. An engine in the service's database does so
   * with the transaction; another one, which is given none, before it resolves.
   * A process that knows the one before serves it until it is dropped, or `liveGeneration` is asked.
   */
  activate(tx: Transaction | undefined, generation: number): Promise<void>;
  /** The generation that serves, and from now on serves here; undefined before the first. */
  liveGeneration(): Promise<number | undefined>;
  /** Deletes a generation that is not live; one that does not exist is fine. No search fails of it. */
  dropGeneration(generation: number): Promise<void>;

  /** Searches the live generation. */
  searchOffers(search: OfferSearch): Promise<OfferHits>;
  /**
   * Ids of the first offers of a search in the live generation; of one moment, and in its order, while nothing is
   * written. Otherwise each is listed as it was at one moment since the call, and an engine outside of the service's
   * database lists pages until two lists in a row are the same. Rejects as above when too much is written meanwhile.
   */
  listOffers(listing: OfferListing): Promise<readonly string[]>;
  /** Counts facets over all that a search finds; its order, but for what it considers, and page do not matter. */
  countFacets(
    search: Omit<OfferSearch, "order" | "offset" | "limit" | "aggregations">,
  ): Promise<FacetCounts>;
  searchEntries(search: EntrySearch): Promise<EntryHits>;
  /**
   * Ranks offers by meaning, joined with plain text search. Only offers that exist, with a vector, or
   * found by text.
   */
  searchByMeaning(search: MeaningSearch): Promise<readonly MeaningHit[]>;
}
