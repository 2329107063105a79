import { joinLookups } from "@storefront/database";
import type { Queryable } from "@storefront/database";
import { itemOfferTypes } from "../domain/item-offer-order.ts";
import { inOrder } from "./in-order.ts";
import type { OfferRow } from "./record-row.ts";

/** Reads offers by their ids and by what they grant. An empty locale means no texts. */
export interface OfferStore {
  get(offerId: string, locale: string): Promise<OfferRow | undefined>;
  /** Known offers in the order of the ids, each once. */
  list(offerIds: readonly string[], locale: string): Promise<OfferRow[]>;
  /** Known ids in the order given, each once. */
  existing(offerIds: readonly string[]): Promise<string[]>;
  /** The offer that best stands for an item. */
  ofItem(itemId: string, locale: string): Promise<OfferRow | undefined>;
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

const existingOffers = {
  name: "catalog.existingOffers",
  text: "select id from catalog.offer where id = any($1)",
};

// $3 lists offer types, best first; a type that is not in it comes last.
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

export function createOfferStore(database: Queryable): OfferStore {
  const rowsOf = (offerIds: readonly string[], locale: string) =>
    locale === ""
      ? database.read<OfferRow & { id: string }>(listOffers, [offerIds])
      : database.read<OfferRow & { id: string }>(listOffersWithTexts, [offerIds, locale]);
  const get = joinLookups<OfferRow>({
    one: (offerId, locale) =>
      locale === ""
        ? database.readOne(getOffer, [offerId])
        : database.readOne(getOfferWithText, [offerId, locale]),
    many: async (offerIds, locale) =>
      new Map((await rowsOf(offerIds, locale)).map((row) => [row.id, row])),
  });
  return {
    get,

    list: async (offerIds, locale) => inOrder(offerIds, await rowsOf(offerIds, locale)),

    async existing(offerIds) {
      const rows = await database.read<{ id: string }>(existingOffers, [offerIds]);
      return inOrder(offerIds, rows).map(({ id }) => id);
    },

    ofItem: (itemId, locale) =>
      database.readOne<OfferRow>(offerOfItem, [itemId, locale, itemOfferTypes]),
  };
}
