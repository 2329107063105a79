import type { IncomingMessage } from "node:http";
import { badRequest } from "../errors/public-error.ts";

/** Most header fields of a request. */
export const headerFieldsMax = 100;

/**
 * Checks what node:http would answer without a body, or would drop without a word.
 *
 * @throws BAD_REQUEST naming the header
 */
export function checkHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): void {
  const { host, expect } = headers;
  if (rawHeaders.length > 2 * headerFieldsMax) {
    throw badRequest(`The request must have at most ${headerFieldsMax} header fields.`);
  }
  if (host === undefined && httpVersion === "1.1") {
    throw badRequest("The Host header must be given.");
  }
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") {
    throw badRequest("The Expect header must be 100-continue.");
  }
}
