import { vi } from "vitest";
import { differences } from "./differences.ts";
import { fetchDocumented } from "./fetch-documented.ts";
import type { Question } from "./questions.ts";

/** Concurrent questions by default. */
const usualConcurrency = 8;

/** Sends every question and returns the differences from the expected responses. */
export async function ask(
  gatewayUrl: string,
  questions: readonly Question[],
  concurrency?: number,
): Promise<string[]> {
  return await askEach(questions, (question) => askOne(gatewayUrl, question), concurrency);
}

/** Checks every question, several at once, and returns all problems. */
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

/** Sends a question and returns the differences from the expected response. */
export async function askOne(gatewayUrl: string, question: Question): Promise<string[]> {
  const { path, body, expected } = question;
  const { status, result } = await request(gatewayUrl + path, body);
  const name = body === undefined ? path : `${path} ${JSON.stringify(body)}`.slice(0, 500);
  if (status !== expected.status) {
    return [`${name}: status ${status} instead of ${expected.status}`];
  }
  if (expected.status !== 200) return [];
  return differences(expected.body, result).map((difference) => `${name} ${difference}`);
}

/** Time limit of a complete response, and pause between attempts, in milliseconds. */
const patience = { timeout: 60_000, interval: 200 };

/**
 * Time limit of an attempt, in milliseconds: four times the gateway's own limit. A response that never comes is
 * reported instead of using up the time of all attempts.
 */
const attemptTimeoutMs = 20_000;

/**
 * Sends a GET, or a POST when there is a body. Retries while the response lacks parts: a busy machine misses
 * their budgets, and a service that was too slow is not called for a second.
 *
 * @param fetchResponse default {@link fetchDocumented}, which validates the response against the OpenAPI document.
 */
export async function request(
  url: string,
  body?: unknown,
  fetchResponse: typeof fetchDocumented = fetchDocumented,
): Promise<{ status: number; result: unknown }> {
  const post = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return await vi.waitFor(async () => {
    const signal = AbortSignal.timeout(attemptTimeoutMs);
    const init = { ...(body !== undefined && post), signal };
    const {
      status,
      headers,
      body: text,
    } = await fetchResponse(url, init).catch((error: unknown) => {
      if (signal.aborted)
        process.stderr.write(`no response within ${attemptTimeoutMs} ms: ${url}\n`);
      throw error;
    });
    const missing = headers.get("catalog-degraded");
    if (missing !== null) throw new Error(`the response of ${url} lacks ${missing}`);
    return { status, result: JSON.parse(text) as unknown };
  }, patience);
}
