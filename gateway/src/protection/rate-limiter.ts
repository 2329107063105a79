import { Counter } from "@storefront/process";
import type { Logger, Metrics } from "@storefront/process";
import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { rateLimited } from "../errors/public-error.ts";
import { addressBlockOf } from "../http/client-address.ts";
import type { Exchange } from "../http/exchange.ts";
import { createRedisCounter } from "./redis-counter.ts";
import { createMemoryCounter } from "./request-counter.ts";

/** A client with a limit of its own. */
export interface ApiKey {
  /** Letters, digits, `-` and `_`; shown in headers. */
  name: string;
  key: string;
  limitPerMinute: number;
}

export interface RateLimits {
  /** Of a client without a key: an IPv4 address or an IPv6 /64. */
  limitPerMinute: number;
  apiKeys: readonly ApiKey[];
}

export interface RateLimiter {
  /**
   * Counts a request and adds what is left to the headers of its response.
   *
   * @throws TOO_MANY_REQUESTS when it costs more than what is left, with `Retry-After` among the headers
   */
  admit(exchange: Exchange, headers: string[]): Promise<void>;
  close(): Promise<void>;
}

const windowSeconds = 60;

// Supervisors must be able to probe this process.
const freePaths = new Set(["/livez", "/readyz"]);

/**
 * Limits requests per minute and client: windows of a minute, each beginning with a client's first
 * request. Without Redis every gateway counts alone. A request with an unknown key has the limit of its
 * address. A refused request costs nothing, so that a joined tRPC request that costs too much may be
 * repeated in parts.
 *
 * Headers: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/10/
 */
export function createRateLimiter(
  { limitPerMinute, apiKeys }: RateLimits,
  redisUrl: string | undefined,
  logger: Logger,
  metrics: Metrics,
): RateLimiter {
  const windowMs = windowSeconds * 1000;
  const counter =
    redisUrl === undefined
      ? createMemoryCounter(windowMs)
      : createRedisCounter(redisUrl, windowMs, logger);
  const requests = new Counter({
    name: "rate_limit_requests_total",
    help: "Requests that count against a limit, by the kind of limit and the outcome.",
    labelNames: ["policy", "outcome"],
    registers: [metrics],
  });
  const findApiKey = createApiKeyFinder(apiKeys);

  return {
    async admit({ request, url, clientAddress }, headers) {
      if (freePaths.has(url)) return;
      const apiKey = findApiKey(request.headers);
      const limit = apiKey?.limitPerMinute ?? limitPerMinute;
      const policy = apiKey?.name ?? "address";
      const client =
        apiKey === undefined ? `address:${addressBlockOf(clientAddress)}` : `key:${policy}`;
      const cost = costOf(url);
      const { isAdmitted, left, resetsInMs } = await counter.take(client, cost, limit);
      const resetsInSeconds = Math.max(1, Math.ceil(resetsInMs / 1000));
      headers.push(
        "RateLimit-Policy",
        `"${policy}";q=${limit};w=${windowSeconds}`,
        "RateLimit",
        `"${policy}";r=${left};t=${resetsInSeconds}`,
      );
      requests.inc({
        // Names of keys would grow in number with the clients.
        policy: apiKey === undefined ? "address" : "api_key",
        outcome: isAdmitted ? "admitted" : "refused",
      });
      if (isAdmitted) return;
      headers.push("Retry-After", String(resetsInSeconds));
      throw rateLimited({ cost, left, limit });
    },
    close: () => counter.close(),
  };
}

/**
 * A tRPC request that joins calls costs as many requests as it has calls. Express finds `/trpc` in
 * any case, and in a whole address too.
 */
function costOf(url: string): number {
  const path = url.split("?", 1)[0] ?? "";
  return /trpc/i.test(path) ? path.split(/,|%2c/i).length : 1;
}

/** Looks keys up in `Authorization: Bearer` and `X-Api-Key`, in a time that does not depend on them. */
function createApiKeyFinder(apiKeys: readonly ApiKey[]) {
  const known = apiKeys.map(({ key, ...client }) => ({ client, digest: digestOf(key) }));
  return (headers: IncomingHttpHeaders) => {
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
