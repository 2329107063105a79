/** The queries of both peers; the tables store records as clients read them. */

/** An offer with its price in one region, as the driver returns it. */
export interface OfferRow {
  /** Every member of an offer's response but the price. */
  offer: object;
  price: object | null;
}

/** $1: id of the offer, $2: region; no row when it is unknown. */
export const offerWithPrice = {
  name: "peer-offer-with-price",
  text: `
    select offer.record as offer, price.record as price
    from peer.offer
    left join peer.price on price.offer_id = offer.id and price.region = $2
    where offer.id = $1`,
};

/** $1: id of the offer that bundles them, $2: region; members in their stored order. */
export const collectionWithPrices = {
  name: "peer-collection-with-prices",
  text: `
    select member.record as offer, price.record as price
    from peer.offer as bundle
    cross join unnest(bundle.collection_offer_ids) with ordinality as wanted (id, ordinal)
    join peer.offer as member on member.id = wanted.id
    left join peer.price on price.offer_id = member.id and price.region = $2
    where bundle.id = $1
    order by wanted.ordinal`,
};
