import type { EntryHits, EntrySearch } from "../offer-search.ts";
import { orderFields } from "./collections.ts";
import type { Collections } from "./collections.ts";
import { allConditions, hasAll } from "./offer-conditions.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import { entriesByText } from "./search-text.ts";
import type { MultiSearch } from "./typesense-client.ts";
import { contextIdToken, contextTypeToken } from "./write-index.ts";

/** Entries with all words of a text, newest first. */
export async function searchEntries(
  multiSearch: MultiSearch,
  { entries: collection }: Collections,
  { text, contextType, contextId, offset, limit }: EntrySearch,
): Promise<EntryHits> {
  const conditions = hasAll("terms", [
    ...(contextType === undefined ? [] : [contextTypeToken(contextType)]),
    ...(contextId === undefined ? [] : [contextIdToken(contextId)]),
  ]);
  const [found, newest] = await searchCollections(multiSearch, [
    {
      collection,
      ...entriesByText(text),
      filter_by: conditions.length === 0 ? "" : allConditions(conditions),
      sort_by: `timestamp:desc,${orderFields.id.map((field) => `${field}:asc`).join(",")}`,
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
