import type { Queryable } from "@storefront/database";
import type { RecordRow } from "./record-row.ts";

/** Reads what the overview of an offer shows beside it. */
export interface OfferOverviewStore {
  /** What an overview begins with; undefined for an unknown offer. */
  find(offerId: string): Promise<OverviewRow | undefined>;
  /** The ACTIVE tags of an offer, in its order. */
  activeTags(offerId: string): Promise<RecordRow[]>;
  /** The ratings of an offer's sandbox, by rating system. */
  ageRatings(offerId: string): Promise<RecordRow[]>;
}

/** An offer's part of its overview, and what leads to the rest of it. */
export interface OverviewRow {
  /** Media, external database entry and polls, null when nothing is known. */
  details: Uint8Array | null;
  namespace: string | null;
  tag_ids: string[];
  item_ids: string[];
}

const findOverview = {
  name: "catalog.findOverview",
  text: `
    select details.record as details, offer.namespace, offer.tag_ids, offer.item_ids
    from catalog.offer
    left join catalog.offer_details as details on details.offer_id = offer.id
    where offer.id = $1`,
};

const activeTags = {
  name: "catalog.activeTagsOfOffer",
  text: `
    select tag.record
    from catalog.offer
    cross join unnest(offer.tag_ids) with ordinality as named(id, place)
    join catalog.tag on tag.id = named.id
    where offer.id = $1 and tag.status = 'ACTIVE'
    order by named.place`,
};

const ageRatings = {
  name: "catalog.ageRatingsOfOffer",
  text: `
    select age_rating.record
    from catalog.offer
    join catalog.age_rating on age_rating.namespace = offer.namespace
    where offer.id = $1
    order by age_rating.rating_system`,
};

export function createOfferOverviewStore(database: Queryable): OfferOverviewStore {
  return {
    find: (offerId) => database.readOne<OverviewRow>(findOverview, [offerId]),
    activeTags: (offerId) => database.read<RecordRow>(activeTags, [offerId]),
    ageRatings: (offerId) => database.read<RecordRow>(ageRatings, [offerId]),
  };
}
