import type { Client } from "typesense";
import { textQuery } from "../../domain/text-query.ts";
import type { EntryHits, EntrySearch } from "../offer-search.ts";
import { wantedChunks } from "../text-match.ts";
import type { Collections } from "./collections.ts";
import { allConditions, fulfils, hasAll } from "./filter-by.ts";
import { clausesOf } from "./match-text.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import { contextIdToken, contextTypeToken } from "./write-index.ts";

/** Entries with all words of a text, newest first. */
export async function searchEntries(
  client: Client,
  { entries: collection }: Collections,
  { text, contextType, contextId, offset, limit }: EntrySearch,
): Promise<EntryHits> {
  const conditions = [
    ...fulfils("words", clausesOf(wantedChunks(textQuery(text)))),
    ...(contextType === undefined ? [] : [hasAll("terms", [contextTypeToken(contextType)])]),
    ...(contextId === undefined ? [] : [hasAll("terms", [contextIdToken(contextId)])]),
  ];
  const [found, newest] = await searchCollections(client, [
    {
      collection,
      q: "*",
      filter_by: conditions.length === 0 ? "" : allConditions(conditions),
      sort_by: "timestamp:desc,id_order:asc",
      include_fields: "id",
      offset,
      limit,
    },
    {
      collection,
      q: "*",
      sort_by: "timestamp:desc",
      include_fields: "timestamp",
      limit: 1,
    },
  ]);
  const timestamp = newest.documents[0]?.["timestamp"];
  return {
    entryIds: idsOf(found),
    total: found.found,
    indexedUntilMs: typeof timestamp === "number" ? timestamp : undefined,
  };
}
