import { deepEqual } from "node:assert/strict";
import { startChild } from "../child-process.ts";
import type { Child } from "../child-process.ts";
import { measureInTurn } from "../measure-in-turn.ts";
import type { RoundResult } from "../measure-in-turn.ts";
import { median } from "../median.ts";
import type { Row } from "../row.ts";
import { makeQuestions } from "../search/make-questions.ts";
import type { SearchAnswer } from "../search/search-answer.ts";
import type { SearchQuestion } from "../search/search-question.ts";
import { startSearchCatalogue } from "../search/start-search-catalogue.ts";

const questionCount = 66;
const concurrency = 2;

/** Row 8: searches of offers, through the search service, and as SQL written by hand. */
export function offerSearch(): Row[] {
  return [5_000, 50_000].map((offers): Row => ({
    number: 8,
    goal: 0.8,
    case: `search of ${offers} offers: two filters, a sort and all aggregations; peer: SQL on PostgreSQL`,
    async measure(report, { roundSeconds, rounds }) {
      const catalogue = await startSearchCatalogue(offers);
      const children: Child[] = [];
      try {
        const questions = makeQuestions(catalogue.records, questionCount);
        const start = async (side: string, url: string) => {
          const { child } = await startChild("./processes/search-load.ts", [
            side,
            url,
            `${concurrency}`,
          ]);
          children.push(child);
          // Messages are JSON; interfaces have no index signature.
          await child.ask(questions.map((question) => ({ ...question })));
          return child;
        };
        const ours = await start("ours", catalogue.stack.services["search"]?.url ?? "");
        const peer = await start("peer", catalogue.databaseUrl);
        const found = await checkSameAnswers(ours, peer, questions);
        report(`both return the same; ${found} offers are found in the median`);
        return await measureInTurn(
          async () => (await ours.ask(roundSeconds)) as RoundResult,
          async () => (await peer.ask(roundSeconds)) as RoundResult,
          rounds,
          report,
        );
      } finally {
        await Promise.all(children.map((child) => child.stop()));
        await catalogue.stop();
      }
    },
  }));
}

/**
 * @returns the median of the totals.
 * @throws AssertionError naming the first question with different responses.
 */
async function checkSameAnswers(
  ours: Child,
  peer: Child,
  questions: readonly SearchQuestion[],
): Promise<number> {
  const ourResponses = (await ours.ask("responses")) as SearchAnswer[];
  const peerResponses = (await peer.ask("responses")) as SearchAnswer[];
  for (const [index, question] of questions.entries()) {
    const [our, its] = [comparable(ourResponses[index]), comparable(peerResponses[index])];
    deepEqual(our, its, `the responses to ${JSON.stringify(question)} differ`);
  }
  return median(ourResponses.map(({ total }) => total));
}

/** Both sides round means differently. */
function comparable(response: SearchAnswer | undefined) {
  const avg = response?.prices.avg?.toPrecision(12);
  return { ...response, prices: { ...response?.prices, avg } };
}
