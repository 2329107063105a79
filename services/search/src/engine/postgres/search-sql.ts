import type { OfferOrder } from "../offer-search.ts";
import { orderSql } from "./order-sql.ts";
import type { Parameters } from "./offer-conditions.ts";
import { relevanceSql } from "./relevance-sql.ts";
import type { TextMatch } from "./text-match.ts";
import type { TextTable } from "./text-tables.ts";

/** What a search reads, and which rows of it. */
export interface HitsSource {
  readonly offerTable: string;
  readonly text: TextTable;
  /** Undefined for a region that does not exist. */
  readonly priceTable: string | undefined;
  readonly match: TextMatch | undefined;
  readonly conditions: readonly string[];
}

/** A row of a search's answer. */
export interface SearchRow {
  readonly ids: string[];
  readonly total: number;
  readonly priced: number;
  readonly min_price: bigint | null;
  readonly max_price: bigint | null;
  readonly avg_price: number | null;
  readonly numbers: number[];
  readonly counts: number[];
}

/** One page of what is found, with counts over all of it; without `isCounted` terms are not counted. */
export function searchSql(
  source: HitsSource,
  {
    order,
    offset,
    limit,
    isCounted,
  }: { order: OfferOrder; offset: number; limit: number; isCounted: boolean },
  parameters: Parameters,
): string {
  const { key, direction } = orderSql(order);
  const relevance =
    source.match === undefined ? "0" : relevanceSql(source.match, source.text, parameters);
  return `
    with ${hitsSql(source, `${key} as key, ${relevance} as relevance, ${isCounted ? "offer.facets" : "null::int[]"} as counted`)},
    page as (
      select offer_id, row_number() over () as place from (
        select offer_id from hits
        order by key ${direction} nulls last, relevance desc, offer_id
        offset ${parameters.add(offset)} limit ${parameters.add(limit)}
      ) as best
    )
    select array(select offer_id from page order by place) as ids, ${totalsSql}`;
}

/** Counts over all that is found. */
export function countSql(source: HitsSource): string {
  return `with ${hitsSql(source, "offer.facets || offer.tag_ids as counted")}
    select '{}'::text[] as ids, ${totalsSql}`;
}

function hitsSql(source: HitsSource, columns: string): string {
  return `hits as materialized (
      select offer.offer_id, price.discounted, ${columns} ${hitsFrom(source)}
    )`;
}

/** The rows of `offer`, `text` if there is one, and `price` that are found. */
export function hitsFrom(source: HitsSource): string {
  const { offerTable, text, priceTable, match, conditions } = source;
  const prices = priceTable ?? noPrices;
  return `from ${offerTable} as offer
      ${match === undefined ? "" : `join ${text.table} as text on text.number = offer.number`}
      left join ${prices} as price on price.number = offer.number
      ${conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`}`;
}

const noPrices = `(select null::int as number, null::int8 as original, null::int8 as discounted,
  null::int8 as updated_at, null::boolean as is_lowest where false)`;

// Hits bring their terms along: to join them again, the planner would read the whole table.
const totalsSql = `totals.*, facets.*
    from (
      select count(*)::int4 as total, count(discounted)::int4 as priced,
        min(discounted) as min_price, max(discounted) as max_price,
        avg(discounted)::float8 as avg_price
      from hits
    ) as totals,
    (
      select coalesce(array_agg(term), '{}') as numbers, coalesce(array_agg(offers), '{}') as counts
      from (
        select term, count(*)::int4 as offers
        from (select unnest(counted) as term from hits) as each
        group by term
      ) as counted
    ) as facets`;
