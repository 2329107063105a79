import type { IncomingMessage } from "node:http";
import { badRequest } from "../errors/public-error.ts";

/** Most header fields of a request. */
export const headerFieldsMax = 100;

/** An IPv6 address in brackets or a name, which may be empty, and perhaps a port (RFC 9110, 7.2; RFC 3986, 3.2). */
const hostForm = /^(?:\[[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * Checks what node:http would refuse without a body, would drop silently, or does not check.
 *
 * @throws BAD_REQUEST naming the header
 */
export function checkHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): void {
  const { host, expect } = headers;
  if (rawHeaders.length > 2 * headerFieldsMax) {
    throw badRequest(`The request must have at most ${headerFieldsMax} header fields.`);
  }
  if (
    host === undefined ? httpVersion === "1.1" : !hostForm.test(host) || hasTwoHosts(rawHeaders)
  ) {
    throw badRequest("The Host header must be given once, as a host and perhaps a port.");
  }
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") {
    throw badRequest("The Expect header must be 100-continue.");
  }
}

/** Whether a second `Host` is among names and values in turn; node:http drops it. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}

/** Default `Content-Type`. */
export const jsonType = "application/json; charset=utf-8";

export function headerPairs(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, index): [string, string][] => {
    const value = headers[index + 1];
    return index % 2 === 0 && value !== undefined ? [[name, value]] : [];
  });
}
