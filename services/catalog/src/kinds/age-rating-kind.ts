import { AgeRatingSchema } from "@storefront/contracts/catalog/v1/age_rating";
import type { RecordKind } from "@storefront/ingest";

/** Age ratings of sandboxes, one per rating system. */
export const ageRatingKind: RecordKind<typeof AgeRatingSchema> = {
  name: "ageRating",
  schema: AgeRatingSchema,
  table: "catalog.age_rating",
  columns: [],
  namespace: (rating) => rating.namespace,
};
