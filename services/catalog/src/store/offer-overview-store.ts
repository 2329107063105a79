import type { Queryable } from "@storefront/database";
import type { RecordRow } from "./rows.ts";

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

const listTags = { name: "catalog.listTags", text: "select record from catalog.tag order by id" };

/** Reads what the overview of an offer shows beside it. */
export class OfferOverviewStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** What an overview begins with; undefined for an unknown offer. */
  async find(offerId: string): Promise<OverviewRow | undefined> {
    return await this.#database.readOne(findOverview, [offerId]);
  }

  /** The ACTIVE tags of an offer, in its order. */
  async activeTags(offerId: string): Promise<RecordRow[]> {
    return await this.#database.read(activeTags, [offerId]);
  }

  /** All tags, by id. */
  async allTags(): Promise<RecordRow[]> {
    return await this.#database.read(listTags, []);
  }

  /** The ratings of an offer's sandbox, by rating system. */
  async ageRatings(offerId: string): Promise<RecordRow[]> {
    return await this.#database.read(ageRatings, [offerId]);
  }
}
