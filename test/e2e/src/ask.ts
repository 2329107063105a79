import { differences } from "./differences.ts";
import type { Question } from "./questions.ts";

/** Questions asked at once. */
const concurrency = 8;

/** Asks every question and gives where the answers depart from what is expected. */
export async function ask(gatewayUrl: string, questions: readonly Question[]): Promise<string[]> {
  const problems: string[] = [];
  const waiting = [...questions];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let question = waiting.pop(); question !== undefined; question = waiting.pop()) {
        problems.push(...(await askOne(gatewayUrl, question)));
      }
    }),
  );
  return problems;
}

async function askOne(gatewayUrl: string, question: Question): Promise<string[]> {
  const { path, body, expected } = question;
  const post = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetchWhole(gatewayUrl + path, body === undefined ? {} : post);
  const answer: unknown = await response.json();
  if (response.status !== expected.status) {
    return [`${path}: status ${response.status} instead of ${expected.status}`];
  }
  if (expected.status !== 200) return [];
  return differences(expected.body, answer).map((difference) => `${path} ${difference}`);
}

/** How often an answer that lacks parts is asked for again; a busy machine may miss a budget. */
const attemptsMax = 5;

async function fetchWhole(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init);
    if (!response.headers.has("catalog-degraded") || attempt === attemptsMax) return response;
    await response.arrayBuffer();
  }
}
