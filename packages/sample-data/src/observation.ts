import type { AgeRatingRecord } from "./age-rating.ts";
import type { AssetRecord } from "./asset.ts";
import type { observeBuilds } from "./build.ts";
import type { observeGiveaways } from "./giveaway.ts";
import type { ItemRecord } from "./item.ts";
import type { Observed } from "./observe.ts";
import type { OfferDetailsRecord } from "./offer-details.ts";
import type { OfferTextRecord } from "./offer-text.ts";
import type { OfferRecord } from "./offer-record.ts";
import type { PriceRecord } from "./price.ts";
import type { observeRankings } from "./ranking.ts";
import type { observeReviews } from "./review.ts";
import type { observeSandbox } from "./sandbox.ts";
import type { TagRecord } from "./tag.ts";

/** The record that a part of the generator makes. */
type RecordOf<Observe extends (...sources: never[]) => Observed<string, unknown>[]> =
  ReturnType<Observe>[number]["record"];

/** The record of each kind of the import format. */
export interface Records {
  readonly tag: TagRecord;
  readonly sandbox: RecordOf<typeof observeSandbox>;
  readonly item: ItemRecord;
  readonly asset: AssetRecord;
  readonly build: RecordOf<typeof observeBuilds>;
  readonly offer: OfferRecord;
  readonly offerText: OfferTextRecord;
  readonly offerDetails: OfferDetailsRecord;
  readonly ageRating: AgeRatingRecord;
  readonly ranking: RecordOf<typeof observeRankings>;
  readonly price: PriceRecord;
  readonly giveaway: RecordOf<typeof observeGiveaways>;
  readonly review: RecordOf<typeof observeReviews>;
}

export type Kind = keyof Records;

/** One line of the import format, of one kind. */
export type ObservationOf<K extends Kind> = Observed<K, Records[K]>;

/** One line of the import format; `JSON.stringify` gives the line. */
export type Observation = { [K in Kind]: ObservationOf<K> }[Kind];
