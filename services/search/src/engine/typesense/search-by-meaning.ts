import type { Client } from "typesense";
import { textQuery } from "../../domain/text-query.ts";
import type { MeaningHit, MeaningSearch } from "../offer-search.ts";
import type { collectionsOf } from "./collections.ts";
import { idsOf, searchCollections } from "./search-collections.ts";
import { wordToken } from "./tokens.ts";

/** Candidates of each of the two rankings. */
const candidateCount = 200;
/** Reciprocal rank fusion's constant: Cormack, Clarke and Büttcher, SIGIR 2009. */
const fusionOffset = 60;

/** Joins the ranking by vectors with that by words. */
export async function searchByMeaning(
  client: Client,
  { offers: collection }: ReturnType<typeof collectionsOf>,
  { text, vector, limit }: MeaningSearch,
): Promise<MeaningHit[]> {
  const common = {
    collection,
    filter_by: "(is_offer:true)",
    include_fields: "id",
    limit: candidateCount,
  };
  const chunks = textQuery(text);
  const tokens = chunks.flatMap(({ alternatives }) => alternatives.flat()).map(({ word }) => word);
  const byVector = {
    ...common,
    q: "*",
    vector_query: `vector:([${vector.join(",")}], k:${candidateCount})`,
  };
  const byWords = {
    ...common,
    q: [...new Set(tokens)].map(wordToken).join(" "),
    query_by: "title_words,named_words,tagged_words,all_words",
    num_typos: 0,
    prefix: false,
    // Any word will do, more are better.
    drop_tokens_threshold: candidateCount,
  };
  const searches = tokens.length === 0 ? [byVector] : [byVector, byWords];
  const rankings = (await searchCollections(client, searches)).map(idsOf);
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [rank, offerId] of ranking.entries()) {
      // Two rankings: an offer that is first in both scores 1.
      const score = (fusionOffset + 1) / (fusionOffset + 1 + rank) / 2;
      scores.set(offerId, (scores.get(offerId) ?? 0) + score);
    }
  }
  return [...scores]
    .map(([offerId, score]) => ({ offerId, score }))
    .toSorted((a, b) => b.score - a.score || (a.offerId < b.offerId ? -1 : 1))
    .slice(0, limit);
}
