import { checkAnswer } from "./check-expectation.ts";
import type { Answer } from "./check-expectation.ts";
import type { Json, Vector, VectorRequest } from "./vector.ts";

/** A server to be asked. */
export interface Target {
  url: string;
  apiKey: string;
}

/** Plays a vector against an empty server; gives what does not hold, one line each. */
export async function runVector(vector: Vector, target: Target): Promise<string[]> {
  const { collection, documents = [] } = vector;
  if (collection !== undefined) {
    await prepare(target, "/collections", collection);
    for (const document of documents) {
      await prepare(target, `/collections/${collection.name}/documents`, document);
    }
  }
  const problems: string[] = [];
  for (const [index, request] of vector.requests.entries()) {
    const answer = await send(target, request);
    problems.push(
      ...checkAnswer(request.expect, answer).map((problem) => `request ${index}: ${problem}`),
    );
  }
  return problems;
}

async function prepare(target: Target, path: string, body: Json): Promise<void> {
  const answer = await send(target, { method: "POST", path, body, expect: {} });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}

async function send(target: Target, request: VectorRequest): Promise<Answer> {
  const url = new URL(request.path, target.url);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    url.searchParams.set(name, text.replaceAll("$KEY", target.apiKey));
  }
  const { apiKey } = request;
  const key = apiKey === undefined ? target.apiKey : `not ${target.apiKey}`;
  const body =
    request.bodyText ??
    request.bodyLines?.map((line) => JSON.stringify(line)).join("\n") ??
    (request.body === undefined ? undefined : JSON.stringify(request.body));
  const response = await fetch(url, {
    method: request.method,
    headers: apiKey === "none" ? {} : { "x-typesense-api-key": key },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
