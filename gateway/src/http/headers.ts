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

/** node:http drops a second `Host`. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  const isHost = (text: string) => text.length === 4 && text.toLowerCase() === "host";
  return rawHeaders.filter((text, index) => index % 2 === 0 && isHost(text)).length > 1;
}

/** Default `Content-Type`. */
export const jsonType = "application/json; charset=utf-8";

export function headerPairs(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, index): [string, string][] => {
    const value = headers[index + 1];
    return index % 2 === 0 && value !== undefined ? [[name, value]] : [];
  });
}
