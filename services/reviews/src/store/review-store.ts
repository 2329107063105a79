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

/** Ratings of an offer, summed up. */
export interface RatingsRow {
  readonly offer_id: string;
  readonly count: bigint;
  /** To two decimals. */
  readonly average: number;
  /** How many rate it 1 to 10. */
  readonly histogram: bigint[];
}

const histogram = Array.from(
  { length: 10 },
  (_, index) => `count(*) filter (where greatest(floor(rating), 1) = ${index + 1})`,
);

const sumUp = {
  name: "reviews.sumUpRatings",
  text: `
    select offer_id, count(*), round(avg(rating)::numeric, 2)::float8 as average,
      array[${histogram.join(", ")}] as histogram
    from (
      select offer_id, reviews.rating_of(record) as rating from reviews.review
      where offer_id = any($1) and ($2::boolean is null or is_verified = $2)
    ) as rated
    where rating > 0
    group by offer_id`,
};

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

  /** The ratings of those offers that have any, in the reviews that the filter lets through. */
  async ratings(
    offerIds: readonly string[],
    verified: ReviewQuery["verified"],
  ): Promise<RatingsRow[]> {
    return await this.#database.read(sumUp, [offerIds, verified ?? null]);
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
