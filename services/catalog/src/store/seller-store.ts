import type { Queryable } from "@storefront/database";

/** A seller and how many offers it sells; one of id and name is known. */
export interface SellerCountRow {
  seller_id: string | null;
  seller_name: string | null;
  offer_count: bigint;
}

/** Counts offers by who sells them. */
export interface SellerStore {
  /** Most offers first, then by id. Offers without a seller do not count. */
  count(offerIds: readonly string[]): Promise<SellerCountRow[]>;
}

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

export function createSellerStore(database: Queryable): SellerStore {
  return { count: (offerIds) => database.read<SellerCountRow>(countBySeller, [offerIds]) };
}
