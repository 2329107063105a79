import type { Transaction } from "@storefront/database";

/** The numbers that stand for offers, made where there is none. */
export async function offerNumbers(
  tx: Transaction,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(offerIds)];
  if (ids.length === 0) return new Map();
  // What is there is not inserted again: a refused insertion would use up a number.
  const { rows } = await tx.write<{ offer_id: string; number: number }>(
    `with fresh as (
      insert into search.offer_number (offer_id)
      select id from unnest($1::text[]) as wanted(id)
      where not exists (select from search.offer_number where offer_id = wanted.id)
      on conflict (offer_id) do nothing
      returning offer_id, number
    )
    select offer_id, number from fresh
    union all
    select offer_id, number from search.offer_number where offer_id = any($1::text[])`,
    [ids],
  );
  return new Map(rows.map(({ offer_id, number }) => [offer_id, number]));
}
