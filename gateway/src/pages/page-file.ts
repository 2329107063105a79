import type { Exchange } from "../http/exchange.ts";
import { Representations } from "../http/representations.ts";
import type { EncodedBodies } from "../http/representations.ts";
import { sendAllowedMethods, sendError, sendRepresentation } from "../http/send.ts";
import { withPagePolicy } from "../protection/security-headers.ts";

/**
 * A file of a page.
 *
 * @param isImmutable whether its address changes with its content, so that it may be cached for ever
 * @param encoded default: made on first use
 */
export function pageFile(
  body: Buffer,
  contentType: string,
  isImmutable: boolean,
  encoded?: EncodedBodies,
): Representations {
  const cacheControl = isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
  const headers = ["Cache-Control", cacheControl, "Vary", "Accept-Encoding"];
  return new Representations(body, { shared: headers, contentType }, encoded);
}

/** Responds with a file to GET and HEAD, and to other methods with those. */
export function sendPageFile(
  exchange: Exchange,
  file: Promise<Representations>,
  headers: readonly string[],
  contentSecurityPolicy: string,
): void {
  const { method, headers: requested } = exchange.request;
  if (method !== "GET" && method !== "HEAD") {
    sendAllowedMethods(exchange, "GET, HEAD, OPTIONS", headers);
    return;
  }
  file
    .then((found) => found.prepare(requested["accept-encoding"], "shared"))
    .then((found) =>
      sendRepresentation(exchange, found, withPagePolicy(headers, contentSecurityPolicy)),
    )
    .catch((error: unknown) => sendError(exchange, error, headers));
}

/** Headers of a redirect, which has no body. */
export function redirection(location: string): string[] {
  return ["Location", location, "Cache-Control", "no-cache", "Content-Length", "0"];
}
