import type { RecordKind } from "@storefront/ingest";
import { giveawayKind } from "./giveaway-kind.ts";
import { priceKind } from "./price-kind.ts";

/** Everything that the service stores. */
export const pricingKinds: readonly RecordKind[] = [priceKind, giveawayKind];
