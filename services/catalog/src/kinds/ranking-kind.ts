import { RankingSchema } from "@storefront/contracts/catalog/v1/ranking";
import type { RecordKind } from "@storefront/ingest";

/** Places of offers in collections. Position 0 takes an offer out of its collection. */
export const rankingKind: RecordKind<typeof RankingSchema> = {
  name: "ranking",
  schema: RankingSchema,
  table: "catalog.ranking",
  sightingGroup: "offerId",
  columns: [{ name: "position", type: "int4", value: (ranking) => ranking.position }],
  normalize: (ranking) => (ranking.position === 0 ? undefined : ranking),
};
