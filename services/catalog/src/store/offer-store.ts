import { joinLookups } from "@storefront/database";
import type { Queryable } from "@storefront/database";
import type { Locale, OfferId } from "@storefront/domain/identifiers";
import { inOrder, toPart } from "./rows.ts";
import type { IdRange, OfferRow } from "./rows.ts";

/** A seller and how many offers it sells; one of id and name is known. */
export interface SellerCountRow {
  seller_id: string | null;
  seller_name: string | null;
  offer_count: bigint;
}

/** The offer that a slug finds. */
export interface SluggedOfferRow {
  slug: string;
  id: string;
  namespace: string | null;
}

/** An offer and its best place in any collection, from 1. */
interface RankedOfferRow {
  offer_id: string;
  position: number;
}

const getOffer = {
  name: "catalog.getOffer",
  text: "select record, null::bytea as text from catalog.offer where id = $1",
};

const getOfferWithText = {
  name: "catalog.getOfferWithText",
  text: `
    select offer.record, text.record as text
    from catalog.offer
    left join catalog.offer_text as text on text.offer_id = offer.id and text.locale = $2
    where offer.id = $1`,
};

const listOffers = {
  name: "catalog.listOffers",
  text: "select id, record, null::bytea as text from catalog.offer where id = any($1)",
};

const listOffersWithTexts = {
  name: "catalog.listOffersWithTexts",
  text: `
    select offer.id, offer.record, text.record as text
    from catalog.offer
    left join catalog.offer_text as text on text.offer_id = offer.id and text.locale = $2
    where offer.id = any($1)`,
};

const listAllOffers = {
  name: "catalog.listAllOffers",
  text: `
    select offer.record, text.record as text
    from catalog.offer
    left join catalog.offer_text as text on text.offer_id = offer.id and text.locale = $5
    where offer.id > $1
      and ($3::timestamptz is null or offer.changed_at >= $3)
      and (cardinality($4::text[]) = 0 or offer.offer_type = any($4::text[]))
    order by offer.id
    limit $2`,
};

const existingOffers = {
  name: "catalog.existingOffers",
  text: "select id from catalog.offer where id = any($1)",
};

/**
 * Offer types from the best to represent an item to the worst; every other
 * type, and a missing one, comes after them.
 */
const itemOfferTypes: readonly string[] = [
  "BASE_GAME",
  "DLC",
  "ADD_ON",
  "EDITION",
  "BUNDLE",
  "CONSUMABLE",
];

// $3 is `itemOfferTypes`.
const offerOfItem = {
  name: "catalog.offerOfItem",
  text: `
    select best.record, text.record as text
    from (
      select id, record
      from catalog.offer
      where item_ids @> array[$1::text]
      order by pre_purchase, array_position($3::text[], offer_type), creation_date nulls last, id
      limit 1
    ) as best
    left join catalog.offer_text as text on text.offer_id = best.id and text.locale = $2`,
};

const resolveSlugs = {
  name: "catalog.resolveSlugs",
  text: `
    select wanted.slug, found.id, found.namespace
    from unnest($1::text[]) as wanted(slug)
    cross join lateral (
      select id, namespace
      from catalog.offer
      where slug_keys @> array[wanted.slug]
      order by creation_date nulls last, id
      limit 1
    ) as found`,
};

// A seller is known by its id, or else by its name. It is named as its newest offer names it.
const countBySeller = {
  name: "catalog.countOffersBySeller",
  text: `
    select
      seller_id,
      (array_agg(seller_name order by last_modified_date desc nulls last, id)
        filter (where seller_name is not null))[1] as seller_name,
      count(*) as offer_count
    from catalog.offer
    where id = any($1) and (seller_id is not null or seller_name is not null)
    group by seller_id, case when seller_id is null then seller_name end
    order by count(*) desc, seller_id nulls last, 2`,
};

const bestRanked = {
  name: "catalog.listRankedOffers",
  text: `
    select ranking.offer_id, min(ranking.position) as position
    from catalog.ranking
    join catalog.offer on offer.id = ranking.offer_id
    where cardinality($1::text[]) = 0 or offer.offer_type = any($1::text[])
    group by ranking.offer_id
    order by min(ranking.position), ranking.offer_id
    limit $2`,
};

/** Reads offers by their ids and by what leads to them. An empty locale means no texts. */
export class OfferStore {
  readonly #database: Queryable;
  readonly get: (offerId: OfferId, locale: Locale) => Promise<OfferRow | undefined>;

  constructor(database: Queryable) {
    this.#database = database;
    this.get = joinLookups<OfferRow, OfferId, Locale>({
      one: (offerId, locale) =>
        locale === ""
          ? database.readOne(getOffer, [offerId])
          : database.readOne(getOfferWithText, [offerId, locale]),
      many: async (offerIds, locale) =>
        new Map((await this.#rowsOf(offerIds, locale)).map((row) => [row.id, row])),
    });
  }

  /** Known offers in the order of the ids, each once. */
  async list(offerIds: readonly OfferId[], locale: Locale): Promise<OfferRow[]> {
    return inOrder(offerIds, await this.#rowsOf(offerIds, locale));
  }

  /** All offers by id; no types means offers of all. */
  async listAll(
    { afterId, pageSize, changedSince }: IdRange,
    offerTypes: readonly string[],
    locale: Locale,
  ) {
    const parameters = [afterId, pageSize + 1, changedSince ?? null, offerTypes, locale];
    return toPart(await this.#database.read<OfferRow>(listAllOffers, parameters), pageSize);
  }

  /** Known ids in the order given, each once. */
  async existing(offerIds: readonly string[]): Promise<string[]> {
    const rows = await this.#database.read<{ id: string }>(existingOffers, [offerIds]);
    return inOrder(offerIds, rows).map(({ id }) => id);
  }

  /** The offer that best represents an item. */
  async ofItem(itemId: string, locale: Locale): Promise<OfferRow | undefined> {
    return await this.#database.readOne(offerOfItem, [itemId, locale, itemOfferTypes]);
  }

  /** The offer with the earliest `creation_date` for each slug that finds any, by slug. */
  async bySlugs(slugs: readonly string[]): Promise<Map<string, SluggedOfferRow>> {
    const rows = await this.#database.read<SluggedOfferRow>(resolveSlugs, [[...new Set(slugs)]]);
    return new Map(rows.map((row) => [row.slug, row]));
  }

  /** Most offers first, then by the seller's id. Offers without a seller do not count. */
  async countBySeller(offerIds: readonly string[]): Promise<SellerCountRow[]> {
    return await this.#database.read(countBySeller, [offerIds]);
  }

  /** Best position first, then by id; no types means offers of all. */
  async bestRanked(offerTypes: readonly string[], limit: number): Promise<RankedOfferRow[]> {
    return await this.#database.read(bestRanked, [offerTypes, limit]);
  }

  async #rowsOf(offerIds: readonly OfferId[], locale: Locale) {
    return locale === ""
      ? await this.#database.read<OfferRow & { id: string }>(listOffers, [offerIds])
      : await this.#database.read<OfferRow & { id: string }>(listOffersWithTexts, [
          offerIds,
          locale,
        ]);
  }
}
