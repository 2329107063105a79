import type { Database } from "@storefront/database";
import { textQuery } from "../../domain/text-query.ts";
import type { EntryHits, EntrySearch } from "../offer-search.ts";
import { searchChunks } from "../text-match.ts";
import { Parameters } from "./statement-values.ts";
import { tablesOf } from "./tables.ts";
import { tsquery } from "./words/text-vector.ts";

interface Row {
  ids: string[];
  total: number;
  newest: bigint | null;
}

/** Entries with all words of a text, newest first. */
export async function searchEntries(
  database: Database,
  generation: number,
  search: EntrySearch,
): Promise<EntryHits> {
  const { entry } = tablesOf(generation);
  const parameters = new Parameters();
  const conditions: string[] = [];
  const chunks = textQuery(search.text);
  if (chunks.length > 0) {
    conditions.push(`words @@ ${parameters.add(tsquery(searchChunks(chunks)))}::tsquery`);
  }
  if (search.contextType !== undefined) {
    conditions.push(`context_type = ${parameters.add(search.contextType)}`);
  }
  if (search.contextId !== undefined) {
    conditions.push(`context_id = ${parameters.add(search.contextId)}`);
  }
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const row = await database.readOne<Row>(
    `select
      array(
        select entry_id from ${entry} ${where}
        order by timestamp_ms desc, entry_id
        offset ${parameters.add(search.offset)} limit ${parameters.add(search.limit)}
      ) as ids,
      (select count(*)::int4 from ${entry} ${where}) as total,
      (select max(timestamp_ms) from ${entry}) as newest`,
    parameters.values,
  );
  if (row === undefined) throw new Error("a search gives one row");
  return {
    entryIds: row.ids,
    total: row.total,
    indexedUntilMs: row.newest === null ? undefined : Number(row.newest),
  };
}
