import { departures } from "@storefront/test-contract/documented-answer";

/** A whole response. */
export interface FetchedAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * Asks a gateway over REST.
 *
 * @throws Error when the response is not one that the OpenAPI document describes.
 */
export async function fetchDocumented(url: string, init?: RequestInit): Promise<FetchedAnswer> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const body = await response.text();
  const { origin } = new URL(url);
  const asked = { method: init?.method ?? "GET", target: url.slice(origin.length) };
  const found = departures(asked, { status, headers: Object.fromEntries(headers), body });
  if (found.length > 0) throw new Error(`${asked.method} ${asked.target}: ${found.join("; ")}`);
  return { status, headers, body };
}
