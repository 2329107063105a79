import { RankingSchema } from "@storefront/contracts/catalog/v1/ranking";
import { between } from "@storefront/ingest";
import type { RecordKind } from "@storefront/ingest";

const maxPosition = 2 ** 31 - 1;

/** Places of offers in collections. Position 0 takes an offer out of its collection. */
export const rankingKind: RecordKind<typeof RankingSchema> = {
  name: "ranking",
  schema: RankingSchema,
  table: "catalog.ranking",
  identity: ["collection", "offerId"],
  sightingGroup: "offerId",
  columns: [{ name: "position", type: "int4", value: (ranking) => ranking.position }],
  rules: { position: between(0, maxPosition) },
  normalize: (ranking) => (ranking.position === 0 ? undefined : ranking),
};
