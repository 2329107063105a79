import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";

/** A request, read to its end. */
export interface ApiRequest {
  method: string;
  /** The path without the query, still percent-encoded. */
  path: string;
  query: ReadonlyMap<string, string>;
  /** Length of the query string in characters. */
  queryLength: number;
  apiKey: string | undefined;
  body: string;
}

/** What a request is answered: JSON, unless it is a text already. */
export interface ApiAnswer {
  status: number;
  body: unknown;
}

/** Reads a request. The key may travel as a header or as a query parameter of the same name. */
export async function readRequest(message: IncomingMessage): Promise<ApiRequest> {
  const url = new URL(message.url ?? "/", "http://double");
  const query = new Map(url.searchParams);
  const header = message.headers["x-typesense-api-key"];
  return {
    method: message.method ?? "GET",
    path: url.pathname,
    query,
    queryLength: Math.max(0, url.search.length - 1),
    apiKey: typeof header === "string" ? header : query.get("x-typesense-api-key"),
    body: await text(message),
  };
}

/**
 * The JSON object in a request's body.
 *
 * @throws TypesenseError 400 when it is none.
 */
export function bodyObject(request: ApiRequest): JsonObject {
  try {
    const value: unknown = JSON.parse(request.body);
    if (isJsonObject(value)) return value;
  } catch {
    // Told as what is JSON of another kind is.
  }
  throw new TypesenseError("Bad JSON.");
}
