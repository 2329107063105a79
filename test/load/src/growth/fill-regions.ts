import { regions } from "@storefront/domain/regions";
import { Client } from "pg";
import { modelRegion } from "./growth-lines.ts";

/** Offers whose prices are filled by one transaction. */
const chunkOffers = 10_000;

/**
 * Adds the prices that offers lack, as many and as large as imported ones but without a position in the log:
 * importing 26 million takes hours. They are those of one region under the names of the others.
 *
 * @returns how many were filled.
 */
export async function fillRegions(
  databaseUrl: string,
  report: (progress: string) => void,
): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const names = regions.map(({ region }) => region);
  let filled = 0;
  try {
    if (await isFilled(client, names.length)) return 0;
    for (let after = ""; ;) {
      const { rows } = await client.query<{ id: string }>(
        `select offer_id as id from pricing.price where region = $1 and offer_id > $2
          order by offer_id limit ${chunkOffers}`,
        [modelRegion, after],
      );
      const last = rows.at(-1)?.id;
      if (last === undefined) return filled;
      const added = await fillChunk(client, [names, modelRegion, after, last]);
      filled += added;
      if (added > 0) report(`${new Date().toISOString()} ${filled} prices filled`);
      after = last;
    }
  } finally {
    await client.end();
  }
}

/** This check takes a hundredth of the time of a run that finds nothing missing. */
async function isFilled(client: Client, regionCount: number): Promise<boolean> {
  const { rows } = await client.query<{ filled: boolean }>(
    `select count(*) = $1 * count(*) filter (where region = $2) as filled from pricing.price`,
    [regionCount, modelRegion],
  );
  return rows[0]?.filled === true;
}

async function fillChunk(client: Client, parameters: unknown[]): Promise<number> {
  const rows = (table: string, columns: string) => `
    insert into ${table} (offer_id, region, ${columns})
    select model.offer_id, name, ${columns} from ${table} as model, unnest($1::text[]) as name
    where model.region = $2 and model.offer_id > $3 and model.offer_id <= $4
    on conflict do nothing`;
  await client.query("begin");
  const { rowCount } = await client.query(
    rows("pricing.price", "record, observed_at, discount"),
    parameters,
  );
  await client.query(rows("pricing.price_history", "observed_at, updated_at, record"), parameters);
  await client.query(
    `insert into search.price
      select name, number, original, discounted, updated_at, is_lowest, lowest_since, lowest, floor, lacks_floor
      from search.price as model join search.offer_number using (number), unnest($1::text[]) as name
      where model.region = $2 and offer_id > $3 and offer_id <= $4
      on conflict do nothing`,
    parameters,
  );
  await client.query("commit");
  return rowCount ?? 0;
}
