import type { Transaction } from "@storefront/database";
import { reviewTable, storeSources } from "./source-tables.ts";
import type { SourceReview } from "./source-tables.ts";

/** Maximum change of the mean of all ratings before offers are reindexed with it, on a scale of 0 to 10. */
const maxDrift = 0.05;

/** Offers that receive a new mean in one transaction. */
const renewedPerTransaction = 500;

const meanOfAll = "(select sum(sum) / sum(count) from search.offer_rating)";

/** Stores and removes ratings; returns the offers that they are or were about. */
export async function storeRatings(
  tx: Transaction,
  rated: readonly SourceReview[],
  removedIds: readonly string[],
): Promise<string[]> {
  const before = await tx.read<{ offer_id: string }>(
    "select offer_id from search.source_review where id = any($1)",
    [[...rated.map(({ id }) => id), ...removedIds]],
  );
  await storeSources(tx, reviewTable, rated, removedIds);
  const offerIds = [
    ...new Set([...before.map(({ offer_id }) => offer_id), ...rated.map(({ offerId }) => offerId)]),
  ];
  if (offerIds.length === 0) return [];
  await tx.write("delete from search.offer_rating where offer_id = any($1)", [offerIds]);
  await tx.write(
    `insert into search.offer_rating (offer_id, count, sum, prior)
      select offer_id, count(*), sum(rating), 0 from search.source_review
      where offer_id = any($1) group by offer_id`,
    [offerIds],
  );
  await tx.write(`update search.offer_rating set prior = ${meanOfAll} where offer_id = any($1)`, [
    offerIds,
  ]);
  return offerIds;
}

/** Stores the present mean of all ratings for some offers with an outdated one; returns their ids. */
export async function renewPriors(tx: Transaction): Promise<string[]> {
  const { rows } = await tx.write<{ offer_id: string }>(
    `update search.offer_rating set prior = mean
      from (
        select offer_id as drifted, mean
        from search.offer_rating cross join (select ${meanOfAll} as mean) as present
        where abs(prior - mean) > ${maxDrift}
        order by offer_id limit ${renewedPerTransaction}
      ) as stale
      where offer_id = drifted
      returning offer_id`,
  );
  return rows.map(({ offer_id }) => offer_id);
}
