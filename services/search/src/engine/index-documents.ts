import type { Region } from "@storefront/domain/identifiers";
import type { FieldValues } from "../domain/offer-fields.ts";

/** A generation has two sets of vectors: one serves while the other is remade. */
export type VectorSet = 0 | 1;

/** Comparable vectors: of one set and one training. */
export interface VectorSpace {
  readonly set: VectorSet;
  /** Number of the training; 0 for an embedder without training. */
  readonly training: bigint;
}

/** The vectors of an embedder without training. */
export const untrainedSpace: VectorSpace = { set: 0, training: 0n };

/** Vectors made alike: a text has one of each kind, whatever the number of generations. */
export interface VectorKind {
  /** Of the generations that have them: engine, format and embedding model. */
  readonly signature: string;
  /** As in {@link VectorSpace}. */
  readonly training: bigint;
}

/** The searchable data of an offer, except prices. */
export interface OfferDocument extends FieldValues {
  readonly offerId: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Whether it has any giveaway, past or future. */
  readonly hasGiveaway: boolean;
}

/** The price of an offer in a region, in minor units. */
export interface PriceDocument {
  readonly region: Region;
  readonly originalPrice: number;
  readonly discountPrice: number;
  /** Whether `discountPrice` is the lowest on record in the region, and discounted. */
  readonly isLowest: boolean;
  /**
   * Since when no lower price counted as a low, `neverLowerMs` if none ever did; undefined if the price itself does not
   * count, or that is unknown.
   */
  readonly lowestSinceMs: number | undefined;
  readonly updatedAtMs: number | undefined;
}

/** An offer, and the regions of changed prices; default all. */
export interface PriceScope {
  readonly offerId: string;
  readonly regions?: readonly Region[] | undefined;
}

/** Prices of an offer. A region of its scope without an element in `prices` has no price. */
export interface OfferPrices extends PriceScope {
  readonly prices: readonly PriceDocument[];
}

/** The searchable data of a changelog entry. */
export interface EntryDocument {
  readonly entryId: string;
  readonly timestampMs: number;
  readonly contextType: string;
  readonly contextId: string;
  /** Titles and ids of the context, and the text of the changes. */
  readonly text: string;
}

/** The embedding of an offer's text. */
export interface OfferVector {
  readonly offerId: string;
  /** Of unit length, with the generation's dimensions. */
  readonly vector: Float32Array;
}

/**
 * Idempotent changes of an index: each is the whole new state of its subject. Parts are independent: prices and vectors
 * may precede their offer and take effect with it. Each subject is at most once in a part.
 */
export interface IndexWrites {
  readonly offers?: readonly OfferDocument[];
  /** Deleted offers; their prices and vectors stay in case they are added again. */
  readonly removedOffers?: readonly string[];
  /** For an external engine; one in the database reads prices where they are stored. */
  readonly prices?: readonly OfferPrices[];
  /**
   * Whether the generation has received every write of prices since its creation, so that it has no removed ones;
   * default false.
   */
  readonly pricesAreCopied?: boolean;
  readonly entries?: readonly EntryDocument[];
  /** Deleted entries. */
  readonly removedEntries?: readonly string[];
  readonly vectors?: readonly OfferVector[];
  /** The set of `vectors`; default 0. */
  readonly vectorSet?: VectorSet;
  /** Offers whose vector, made by the engine, takes effect. */
  readonly embedded?: readonly string[];
  /** Offers whose vectors, in both sets, are stale or deleted. */
  readonly removedVectors?: readonly string[];
}
