import type { AgeRatingRecord } from "./age-rating.ts";
import type { AssetRecord } from "./asset.ts";
import type { BuildRecord } from "./build.ts";
import type { GiveawayRecord } from "./giveaway.ts";
import type { ItemRecord } from "./item.ts";
import type { Observed } from "./observe.ts";
import type { OfferDetailsRecord } from "./offer-details.ts";
import type { OfferTextRecord } from "./offer-text.ts";
import type { OfferRecord } from "./offer-record.ts";
import type { PriceRecord } from "./price.ts";
import type { RankingRecord } from "./ranking.ts";
import type { ReviewRecord } from "./review.ts";
import type { SandboxRecord } from "./sandbox.ts";
import type { TagRecord } from "./tag.ts";

/** The record of each kind of the import format. */
export interface Records {
  readonly tag: TagRecord;
  readonly sandbox: SandboxRecord;
  readonly item: ItemRecord;
  readonly asset: AssetRecord;
  readonly build: BuildRecord;
  readonly offer: OfferRecord;
  readonly offerText: OfferTextRecord;
  readonly offerDetails: OfferDetailsRecord;
  readonly ageRating: AgeRatingRecord;
  readonly ranking: RankingRecord;
  readonly price: PriceRecord;
  readonly giveaway: GiveawayRecord;
  readonly review: ReviewRecord;
}

export type Kind = keyof Records;

/** One line of the import format, of one kind. */
export type ObservationOf<K extends Kind> = Observed<K, Records[K]>;

/** One line of the import format; `JSON.stringify` gives the line. */
export type Observation = { [K in Kind]: ObservationOf<K> }[Kind];
