import { departures } from "@storefront/test-contract/documented-answer";

/** A complete response. */
export interface FetchedResponse {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * Sends a REST request to a gateway.
 *
 * @throws Error when the OpenAPI document does not describe the response.
 */
export async function fetchDocumented(url: string, init?: RequestInit): Promise<FetchedResponse> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const body = await response.text();
  const { origin } = new URL(url);
  const asked = { method: init?.method ?? "GET", target: url.slice(origin.length) };
  const found = departures(asked, { status, headers: Object.fromEntries(headers), body });
  if (found.length > 0) throw new Error(`${asked.method} ${asked.target}: ${found.join("; ")}`);
  return { status, headers, body };
}
