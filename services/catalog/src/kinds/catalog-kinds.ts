import type { RecordKind } from "@storefront/ingest";
import { ageRatingKind } from "./age-rating-kind.ts";
import { assetKind } from "./asset-kind.ts";
import { buildKind } from "./build-kind.ts";
import { itemKind } from "./item-kind.ts";
import { offerDetailsKind } from "./offer-details-kind.ts";
import { offerKind } from "./offer-kind.ts";
import { offerTextKind } from "./offer-text-kind.ts";
import { rankingKind } from "./ranking-kind.ts";
import { sandboxKind } from "./sandbox-kind.ts";
import { tagKind } from "./tag-kind.ts";

/** Every kind of record that the catalog owns; what others refer to comes first. */
export const catalogKinds: readonly RecordKind[] = [
  sandboxKind,
  tagKind,
  itemKind,
  assetKind,
  buildKind,
  offerKind,
  offerTextKind,
  offerDetailsKind,
  ageRatingKind,
  rankingKind,
];
