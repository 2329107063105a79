import { observeAgeRatings } from "./age-rating.ts";
import { observeAssets } from "./asset.ts";
import { observeBuilds } from "./build.ts";
import { observeGiveaways } from "./giveaway.ts";
import { observeItems } from "./item.ts";
import type { Observed } from "./observe.ts";
import { observeOfferDetails } from "./offer-details.ts";
import { observeOffers } from "./offer-past.ts";
import { observeOfferTexts } from "./offer-text.ts";
import { observePrices } from "./price.ts";
import { createSeed } from "./random.ts";
import { observeRankings } from "./ranking.ts";
import { observeReviews } from "./review.ts";
import { observeSandbox, planSandbox } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { observeTags } from "./tag.ts";

export interface CatalogueOptions {
  /** The exact number of offers, from 0 to 1,000,000. */
  readonly offers: number;
  /** The number 7 and the text "7" generate the same catalogue. */
  readonly seed: number | string;
  /** The time at which the catalogue is current: giveaways run, sales have begun. */
  readonly now: Date;
}

/**
 * A whole plausible catalogue as observations of the import format, all of them upserts.
 *
 * The same options generate the same observations. Tags come first, then sandbox by sandbox with all of its
 * records, and the rankings last, so that a record refers to earlier ones only. Records
 * come with their states of the past year, oldest first: prices with their sales, offers, programs
 * and builds with their changes. Nothing is observed after `now`.
 * One sandbox at a time is in memory, for any number of offers.
 * @throws RangeError when `offers` is not a whole number from 0 to 1,000,000.
 */
export function* generateCatalogue(options: CatalogueOptions): Generator<Observation, void> {
  const { offers } = options;
  if (!Number.isInteger(offers) || offers < 0 || offers > 1_000_000)
    throw new RangeError("offers must be a whole number from 0 to 1,000,000");
  const source = { seed: createSeed(options.seed), nowMs: options.now.getTime() };
  yield* observeTags(source);
  let sandboxes = 0;
  for (let remaining = offers; remaining > 0; sandboxes++) {
    const sandbox = planSandbox(source, sandboxes, remaining);
    remaining -= sandbox.slots.length;
    yield* observeAll(sandbox);
  }
  if (sandboxes > 0) yield* observeRankings(source, sandboxes);
}

function* observeAll(sandbox: Sandbox): Generator<Observation, void> {
  yield* observeSandbox(sandbox);
  yield* observeItems(sandbox);
  yield* observeAssets(sandbox);
  yield* observeBuilds(sandbox);
  yield* observeOffers(sandbox);
  yield* observeOfferTexts(sandbox);
  yield* observeOfferDetails(sandbox);
  yield* observeAgeRatings(sandbox);
  yield* observePrices(sandbox);
  yield* observeGiveaways(sandbox);
  yield* observeReviews(sandbox);
}

/** Counting generates this many offers at most: some tenths of a second. */
const countedOffers = 2_500;

/**
 * The number of observations of `generateCatalogue` for the same options, for a progress bar: exact up to
 * 2,500 offers, beyond that extrapolated, with an error of a few per cent.
 */
export function countObservations(options: CatalogueOptions): number {
  const offers = Math.min(options.offers, countedOffers);
  let count = 0;
  for (const _ of generateCatalogue({ ...options, offers })) count++;
  return offers === 0 ? count : Math.round((count * options.offers) / offers);
}

/** The record that a part of the generator creates. */
type RecordOf<Observe> = Observe extends (
  ...sources: never[]
) => Iterable<Observed<string, infer Of>>
  ? Of
  : never;

/** The record of each kind of the import format. */
export interface Records {
  readonly tag: RecordOf<typeof observeTags>;
  readonly sandbox: RecordOf<typeof observeSandbox>;
  readonly item: RecordOf<typeof observeItems>;
  readonly asset: RecordOf<typeof observeAssets>;
  readonly build: RecordOf<typeof observeBuilds>;
  readonly offer: RecordOf<typeof observeOffers>;
  readonly offerText: RecordOf<typeof observeOfferTexts>;
  readonly offerDetails: RecordOf<typeof observeOfferDetails>;
  readonly ageRating: RecordOf<typeof observeAgeRatings>;
  readonly ranking: RecordOf<typeof observeRankings>;
  readonly price: RecordOf<typeof observePrices>;
  readonly giveaway: RecordOf<typeof observeGiveaways>;
  readonly review: RecordOf<typeof observeReviews>;
}

export type Kind = keyof Records;

export type ObservationOf<K extends Kind> = Observed<K, Records[K]>;

/** One line of the import format; `JSON.stringify` returns the line. */
export type Observation = { [K in Kind]: ObservationOf<K> }[Kind];
