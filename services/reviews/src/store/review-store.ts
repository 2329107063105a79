import type { Queryable } from "@storefront/database";

export interface ReviewQuery {
  readonly offerId: string;
  /** True: verified owners only; false: all others; undefined: all. */
  readonly verified: boolean | undefined;
  readonly offset: number;
  readonly pageSize: number;
}

/** A page of serialized reviews, with the number of reviews on all pages. */
export interface ReviewPage {
  readonly reviews: Uint8Array[];
  readonly totalSize: bigint;
}

const listAll = pageStatement("reviews.listAll", "offer_id = $1", 2);
const listVerified = pageStatement("reviews.listVerified", "offer_id = $1 and is_verified = $2", 3);

export class ReviewStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Reviews newest first, those without a time last, ties by id. */
  async list({ offerId, verified, offset, pageSize }: ReviewQuery): Promise<ReviewPage> {
    const [statement, filter] =
      verified === undefined ? [listAll, [offerId]] : [listVerified, [offerId, verified]];
    const rows = await this.#database.read<{ total: bigint; record: Uint8Array | null }>(
      statement,
      [...filter, pageSize, offset],
    );
    return {
      reviews: rows.flatMap(({ record }) => record ?? []),
      totalSize: rows[0]?.total ?? 0n,
    };
  }
}

/** The total in every row, of the snapshot of the page; one row without review when that is empty. */
function pageStatement(
  name: string,
  condition: string,
  firstParameter: number,
): { name: string; text: string } {
  return {
    name,
    text: `
      select counted.total, page.record
      from (select count(*)::int8 as total from reviews.review where ${condition}) as counted
      left join (
        select record, created_at, id from reviews.review where ${condition}
        order by created_at desc nulls last, id
        limit $${firstParameter} offset $${firstParameter + 1}
      ) as page on true
      order by page.created_at desc nulls last, page.id`,
  };
}
