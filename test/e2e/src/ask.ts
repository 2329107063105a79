import { vi } from "vitest";
import { differences } from "./differences.ts";
import { fetchDocumented } from "./fetch-documented.ts";
import type { Question } from "./questions.ts";

/** Questions asked at once. */
const usualConcurrency = 8;

/** Asks every question and gives where the responses depart from what is expected. */
export async function ask(
  gatewayUrl: string,
  questions: readonly Question[],
  concurrency?: number,
): Promise<string[]> {
  return await askEach(questions, (question) => askOne(gatewayUrl, question), concurrency);
}

/** Asks each of some things, several at once, and gives all problems. */
export async function askEach<Asked>(
  questions: readonly Asked[],
  problemsOf: (question: Asked) => Promise<string[]>,
  concurrency = usualConcurrency,
): Promise<string[]> {
  const problems: string[] = [];
  const waiting = [...questions];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let question = waiting.pop(); question !== undefined; question = waiting.pop()) {
        problems.push(...(await problemsOf(question)));
      }
    }),
  );
  return problems;
}

/** Asks a question and gives where the response departs from what is expected. */
export async function askOne(gatewayUrl: string, question: Question): Promise<string[]> {
  const { path, body, expected } = question;
  const { status, answer } = await request(gatewayUrl + path, body);
  const name = body === undefined ? path : `${path} ${JSON.stringify(body)}`.slice(0, 500);
  if (status !== expected.status) {
    return [`${name}: status ${status} instead of ${expected.status}`];
  }
  if (expected.status !== 200) return [];
  return differences(expected.body, answer).map((difference) => `${name} ${difference}`);
}

/** How long a whole response may take, and how long to pause between tries, in milliseconds. */
const patience = { timeout: 60_000, interval: 200 };

/**
 * How long a try may take, in milliseconds: four times the gateway's own limit, so that a response that never comes is
 * named instead of using up the time of all tries.
 */
const tryTimeoutMs = 20_000;

/**
 * A GET, or a POST when there is a body; asks again while the response lacks parts: a busy machine misses
 * their budgets, and a service that was too slow is not asked for a second.
 *
 * @param fetchAnswer how; default as {@link fetchDocumented}, which holds it against the document.
 */
export async function request(
  url: string,
  body?: unknown,
  fetchAnswer: typeof fetchDocumented = fetchDocumented,
): Promise<{ status: number; answer: unknown }> {
  const post = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return await vi.waitFor(async () => {
    const signal = AbortSignal.timeout(tryTimeoutMs);
    const init = { ...(body !== undefined && post), signal };
    const {
      status,
      headers,
      body: text,
    } = await fetchAnswer(url, init).catch((error: unknown) => {
      if (signal.aborted) process.stderr.write(`no response within ${tryTimeoutMs} ms: ${url}\n`);
      throw error;
    });
    const missing = headers.get("catalog-degraded");
    if (missing !== null) throw new Error(`${url} is answered without ${missing}`);
    return { status, answer: JSON.parse(text) as unknown };
  }, patience);
}
