// Asks one side for searches. Arguments: side (`ours` or `peer`), URL of the search service or of the
// database, searches in progress at once. The first message has the questions; `responses` asks each
// once and gets the responses, a number loads for so many seconds and gets the round's result.
import { createClient } from "@connectrpc/connect";
import type { Bucket } from "@storefront/contracts/search/v1/offer_query";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { createTransport } from "@storefront/rpc";
import { Pool } from "pg";
import { searchOffers } from "../../peers/search-offers.ts";
import { askInTurn } from "../ask-in-turn.ts";
import type { SearchAnswer } from "../search/search-answer.ts";
import { requestOf } from "../search/search-question.ts";
import type { SearchQuestion } from "../search/search-question.ts";

const [side, url = "", concurrency] = process.argv.slice(2);
const search = side === "ours" ? searchOurs() : searchPeer();
let questions: SearchQuestion[] = [];

function searchOurs(): (question: SearchQuestion) => Promise<SearchAnswer> {
  const client = createClient(SearchService, createTransport({ baseUrl: url }));
  const bucketsOf = (buckets: readonly Bucket[] = []) =>
    buckets.map(({ key, count }): [string, number] => [key, Number(count)]);
  const numberOf = (value: bigint | undefined) => (value === undefined ? null : Number(value));
  return async (question) => {
    const { offerIds, totalSize, aggregations } = await client.searchOffers(requestOf(question));
    const { count = 0n, min, max, avg } = aggregations?.priceStats ?? {};
    return {
      ids: offerIds,
      total: Number(totalSize),
      aggregations: {
        technologies: bucketsOf(aggregations?.technologies),
        offerTypes: bucketsOf(aggregations?.offerTypes),
        tags: bucketsOf(aggregations?.tags),
        developers: bucketsOf(aggregations?.developers),
        publishers: bucketsOf(aggregations?.publishers),
        sellers: bucketsOf(aggregations?.sellers),
      },
      prices: { count: Number(count), min: numberOf(min), max: numberOf(max), avg: avg ?? null },
    };
  };
}

function searchPeer(): (question: SearchQuestion) => Promise<SearchAnswer> {
  const pool = new Pool({ connectionString: url, max: Number(concurrency) });
  return (question) => searchOffers(pool, question);
}

const ask = async (number: number) => {
  const question = questions[number % questions.length];
  if (question !== undefined) await search(question);
};

async function askAll(): Promise<SearchAnswer[]> {
  const responses: SearchAnswer[] = [];
  for (const question of questions) responses.push(await search(question));
  return responses;
}

process.on("message", (message: SearchQuestion[] | "responses" | number) => {
  if (typeof message === "number") {
    void askInTurn(ask, Number(concurrency), message).then((result) => process.send?.(result));
  } else if (message === "responses") void askAll().then((all) => process.send?.(all));
  else {
    questions = message;
    process.send?.({ ready: true });
  }
});
process.send?.({ ready: true });
