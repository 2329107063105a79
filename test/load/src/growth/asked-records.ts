import { Client } from "pg";
import type { AskedRecords } from "./growth-questions.ts";

/** Records of each kind that questions are about. */
const count = 200;

/** Records of a catalogue, evenly spread over it: the same for the same catalogue. */
export async function askedRecords(databaseUrl: string): Promise<AskedRecords> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const column = async (sql: string) => {
      const { rows } = await client.query<{ value: string }>(sql);
      return rows.map(({ value }) => value);
    };
    const spread = (table: string, value: string) =>
      column(`select ${value} as value from (
          select ${value}, row_number() over (order by ${value}) as n, count(*) over () as total
          from ${table}
        ) as numbered
        where n % greatest(total / ${count}, 1) = 0 order by n limit ${count}`);
    return {
      offerIds: await spread("search.source_offer", "id"),
      sandboxIds: await spread("catalog.sandbox", "id"),
      titles: await spread("catalog.offer", "title_folded"),
      tagIds: await column(`select id as value from catalog.tag order by id limit ${count}`),
    };
  } finally {
    await client.end();
  }
}
