import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A client with a limit of its own. */
export interface ApiKey {
  /** Letters, digits, `-` and `_`; shown in headers. */
  name: string;
  key: string;
  limitPerMinute: number;
}

/** Finds the client whose key a request has; undefined without a known one. */
export type FindApiKey = (
  headers: IncomingHttpHeaders,
) => Pick<ApiKey, "name" | "limitPerMinute"> | undefined;

/** Looks keys up in `Authorization: Bearer` and `X-Api-Key`, in a time that does not depend on them. */
export function createApiKeyFinder(apiKeys: readonly ApiKey[]): FindApiKey {
  const known = apiKeys.map(({ key, ...client }) => ({ client, digest: digestOf(key) }));
  return (headers) => {
    const sent = known.length === 0 ? undefined : sentKeyOf(headers);
    if (sent === undefined) return undefined;
    const digest = digestOf(sent);
    // Compares with all keys, so that the time does not reveal which one it is.
    const found = known.filter((candidate) => timingSafeEqual(candidate.digest, digest));
    return found[0]?.client;
  };
}

function sentKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers["x-api-key"];
  if (typeof own === "string") return own;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
}

function digestOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
