import type { Queryable, Transaction } from "@storefront/database";
import { createHash } from "node:crypto";
import type { EntryDocument } from "../engine/index-documents.ts";

/** What is stored of a record that changelog entries are about, even after its deletion. */
export interface SourceContext {
  readonly type: string;
  /** Identity members. */
  readonly key: readonly string[];
  /** Its id in entries. */
  readonly id: string;
  /** Its title and further ids. */
  readonly words: string;
}

/** Stores contexts; returns the ids of entries about those with changed words. */
export async function storeContexts(
  tx: Transaction,
  contexts: readonly SourceContext[],
): Promise<string[]> {
  const rows = new Map(
    contexts.map((context) => {
      const digest = createHash("sha256").update(JSON.stringify(context.key)).digest();
      return [`${context.type} ${digest.toString("hex")}`, { ...context, digest }] as const;
    }),
  );
  const given = [...rows.values()];
  const { rows: changed } = await tx.write<{ type: string; id: string }>(
    `insert into search.source_context as context (type, key_digest, id, words)
      select * from unnest($1::text[], $2::bytea[], $3::text[], $4::text[])
      on conflict (type, key_digest) do update set words = excluded.words
      where context.words <> excluded.words
      returning type, id`,
    [
      given.map(({ type }) => type),
      given.map(({ digest }) => digest),
      given.map(({ id }) => id),
      given.map(({ words }) => words),
    ],
  );
  if (changed.length === 0) return [];
  const entries = await tx.read<{ id: string }>(
    `select distinct entry.id
      from unnest($1::text[], $2::text[]) as changed(type, id)
      join search.source_entry as entry
        on entry.context_type = changed.type and entry.context_id = changed.id`,
    [changed.map(({ type }) => type), changed.map(({ id }) => id)],
  );
  return entries.map(({ id }) => id);
}

/** Index documents of stored entries: their words and those of their context. */
export async function readEntries(
  queryable: Queryable,
  ids: readonly string[],
): Promise<EntryDocument[]> {
  return await queryable.read<EntryDocument>(
    {
      name: "search.readSourceEntries",
      text: `
        select entry.id as "entryId", entry.timestamp_ms::float8 as "timestampMs",
          entry.context_type as "contextType", entry.context_id as "contextId",
          entry.words || ' ' || (
            select coalesce(string_agg(context.words, ' ' order by context.key_digest), '')
            from search.source_context as context
            where context.type = entry.context_type and context.id = entry.context_id
          ) as text
        from search.source_entry as entry
        where entry.id = any($1)
        order by entry.id`,
    },
    [ids],
  );
}

/** Ids of entries after a given one, ascending. */
export async function listEntryIds(
  queryable: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await queryable.read<{ id: string }>(
    "select id from search.source_entry where id > $1 order by id limit $2",
    [after, limit],
  );
  return rows.map(({ id }) => id);
}
