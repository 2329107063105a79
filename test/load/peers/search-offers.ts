import type { Pool } from "pg";
import type { SearchAnswer } from "../src/search/search-answer.ts";
import type { SearchQuestion, SortName } from "../src/search/search-question.ts";

const sortKeys: Readonly<Record<SortName, string>> = {
  lastModifiedDate: "offer.last_modified_date",
  effectiveDate: "offer.effective_date",
  creationDate: "offer.creation_date",
  viewableDate: "offer.viewable_date",
  pcReleaseDate: "offer.pc_release_date",
  price: "price.discounted",
  discount: "price.original - price.discounted",
  discountPercent: `case when price.original = 0 then 0
    else (price.original - price.discounted)::float8 / price.original end`,
  priceUpdatedAt: "price.updated_at",
};

/** One statement for a page of offers and the counts over all results. */
export async function searchOffers(pool: Pool, question: SearchQuestion): Promise<SearchAnswer> {
  const { sortBy, sortDir, page, limit } = question.body;
  const { conditions, values } = conditionsOf(question);
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { rows } = await pool.query<Row>(
    `with hits as materialized (
      select offer.id, offer.offer_type, offer.developer, offer.publisher, offer.seller_name,
        offer.tag_names, offer.technologies, price.discounted, ${sortKeys[sortBy]} as key
      from peer_search.offer as offer
      left join peer_search.price as price on price.offer_id = offer.id and price.region = $1
      where ${conditions.join(" and ")}
    )
    select
      array(
        select id from hits order by key ${sortDir} nulls last, id
        offset ${parameter((page - 1) * limit)} limit ${parameter(limit)}
      ) as ids,
      ${countsOfList("technologies")} as technologies,
      ${countsOf("offer_type")} as "offerTypes",
      ${countsOfList("tag_names")} as tags,
      ${countsOf("developer")} as developers,
      ${countsOf("publisher")} as publishers,
      ${countsOf("seller_name")} as sellers,
      totals.*
    from (
      select count(*)::int as total, count(discounted)::int as count, min(discounted) as min,
        max(discounted) as max, avg(discounted)::float8 as avg
      from hits
    ) as totals`,
    values,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("The search returned no row.");
  const { ids, total, count, min, max, avg, ...aggregations } = row;
  return { ids, total, aggregations, prices: { count, min, max, avg } };
}

type Row = SearchAnswer["aggregations"] &
  SearchAnswer["prices"] &
  Pick<SearchAnswer, "ids" | "total">;

function countsOf(column: string): string {
  return bucketsOf(`select ${column} as value from hits where ${column} <> ''`);
}

function countsOfList(column: string): string {
  return bucketsOf(`select unnest(${column}) as value from hits`);
}

function bucketsOf(values: string): string {
  return `(
    select coalesce(json_agg(json_build_array(value, count)), '[]')
    from (
      select value, count(*) as count from (${values}) as each
      group by value order by count desc, value limit 250
    ) as bucket
  )`;
}

function conditionsOf({ region, body }: SearchQuestion): {
  conditions: string[];
  values: unknown[];
} {
  const values: unknown[] = [region];
  const conditions = ["true"];
  const where = (sql: (parameter: string) => string, value: unknown): void => {
    if (value !== undefined) conditions.push(sql(`$${values.push(value)}`));
  };
  where((list) => `offer.offer_type = any(${list})`, body.offerType);
  where((list) => `offer.tag_ids @> ${list}`, body.tags);
  where((list) => `offer.technologies @> ${list}`, body.technologies);
  where((list) => `offer.categories && ${list}`, body.categories);
  where((list) => `offer.attribute_keys && ${list}`, body.customAttributes);
  where((text) => `offer.developer = ${text}`, body.developerDisplayName);
  where((text) => `offer.refund_type = ${text}`, body.refundType);
  where((flag) => `offer.is_code_redemption_only = ${flag}`, body.isCodeRedemptionOnly);
  where((amount) => `price.discounted >= ${amount}`, body.price?.min);
  where((amount) => `price.discounted <= ${amount}`, body.price?.max);
  if (body.onSale === true) conditions.push("price.discounted < price.original");
  if (body.onSale === false) {
    conditions.push("(price.discounted < price.original) is not true");
  }
  if (body.isLowestPrice === true) conditions.push("price.is_lowest");
  return { conditions, values };
}
