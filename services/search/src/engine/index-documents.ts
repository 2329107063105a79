import type { Region } from "@storefront/domain/identifiers";
import type { FieldValues } from "../domain/offer-fields.ts";

/** Which of a generation's two sets of vectors: one serves while the other is made again. */
export type VectorSet = 0 | 1;

/** Vectors that compare: those of one set, made with what an embedder learned once. */
export interface VectorSpace {
  readonly set: VectorSet;
  /** Number of the training; 0 of an embedder that does not learn. */
  readonly training: bigint;
}

/** The vectors of an embedder that does not learn. */
export const untrainedSpace: VectorSpace = { set: 0, training: 0n };

/** Vectors that are made alike: a text has one of each kind, in however many generations. */
export interface VectorKind {
  /** Of the generations that have them: engine, format and embedding model. */
  readonly signature: string;
  /** As in {@link VectorSpace}. */
  readonly training: bigint;
}

/** Everything of an offer that search needs, but for its prices. */
export interface OfferDocument extends FieldValues {
  readonly offerId: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Whether there is any giveaway of it, past or to come. */
  readonly hasGiveaway: boolean;
}

/** The price of an offer in a region, in minor units. */
export interface PriceDocument {
  /** One of the 52 regions. */
  readonly region: Region;
  readonly originalPrice: number;
  readonly discountPrice: number;
  /** Whether `discountPrice` is the lowest on record in the region, and discounted. */
  readonly isLowest: boolean;
  /**
   * Since when no lower price was to pay that counts as a low, `neverLowerMs` where none ever was; undefined where the
   * price does not count itself, or that is not known.
   */
  readonly lowestSinceMs: number | undefined;
  readonly updatedAtMs: number | undefined;
}

/** The offer, and the regions in which its prices change; default all. */
export interface PriceScope {
  readonly offerId: string;
  readonly regions?: readonly Region[] | undefined;
}

/** Prices of an offer. A region of its scope that is not in `prices` is not priced (any more). */
export interface OfferPrices extends PriceScope {
  readonly prices: readonly PriceDocument[];
}

/** Everything of a changelog entry that search needs. */
export interface EntryDocument {
  readonly entryId: string;
  readonly timestampMs: number;
  readonly contextType: string;
  readonly contextId: string;
  /** Titles and ids of the context and the text of the changes. */
  readonly text: string;
}

/** The meaning of an offer's text. */
export interface OfferVector {
  readonly offerId: string;
  /** Of unit length, as many dimensions as the generation was made for. */
  readonly vector: Float32Array;
}

/**
 * Changes of an index: every one is the whole new state of its subject, so applying one twice does no
 * harm. Parts are independent: prices and vectors may come before their offer and count from then on.
 * Each subject is at most once in a part.
 */
export interface IndexWrites {
  readonly offers?: readonly OfferDocument[];
  /** Ids of offers that are gone; their prices and vectors stay for when they come back. */
  readonly removedOffers?: readonly string[];
  /** For an engine outside of the service's database: one in it reads them where they are stored. */
  readonly prices?: readonly OfferPrices[];
  /**
   * Whether `prices` go to a generation that has had every write of them since it was made, so that it holds
   * none that are gone; default false.
   */
  readonly pricesAreCopied?: boolean;
  readonly entries?: readonly EntryDocument[];
  /** Ids of entries that are gone. */
  readonly removedEntries?: readonly string[];
  readonly vectors?: readonly OfferVector[];
  /** Where `vectors` belong; default 0. */
  readonly vectorSet?: VectorSet;
  /** Ids of offers whose vector, made by the engine itself, counts from now on. */
  readonly embedded?: readonly string[];
  /** Ids of offers whose vectors, in both sets, are stale or that are gone. */
  readonly removedVectors?: readonly string[];
}
