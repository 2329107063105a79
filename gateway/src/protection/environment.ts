import { option, zInteger } from "@storefront/process";
import type { EnvironmentRule } from "@storefront/process";
import { BlockList } from "node:net";
import { z } from "zod";
import { addressList } from "../http/client-address.ts";
import type { ApiKey, RateLimits } from "./rate-limiter.ts";

/** Entries separated by commas. */
export const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

const zCount = zInteger(0, 999_999_999);

const apiKeyForm = /^(?<name>[\w-]{1,64}):(?<key>[^:,\s]{16,256}):(?<limit>[1-9]\d{0,8})$/;

const zApiKeys = z.string().transform((text, ctx): ApiKey[] => {
  const entries = listOf(text);
  const keys = entries.flatMap((entry) => {
    const { name, key, limit } = apiKeyForm.exec(entry)?.groups ?? {};
    return name === undefined || key === undefined
      ? []
      : [{ name, key, limitPerMinute: Number(limit) }];
  });
  const isDistinct =
    new Set(keys.map(({ name }) => name)).size === keys.length &&
    new Set(keys.map(({ key }) => key)).size === keys.length;
  if (keys.length < entries.length || !isDistinct) {
    const message =
      "must be name:key:limit, separated by commas: distinct names, distinct keys of at least 16 characters, requests per minute";
    ctx.addIssue({ code: "custom", message });
  }
  return keys;
});

const zAddresses = z.string().transform((text, ctx): BlockList => {
  try {
    return addressList(listOf(text));
  } catch {
    const message = "must be IP addresses and networks such as 10.0.0.0/8, separated by commas";
    ctx.addIssue({ code: "custom", message });
    return new BlockList();
  }
});

/** The options of the protection. */
export const zProtection = z.object({
  rateLimitPerMinute: option("RATE_LIMIT_PER_MINUTE", zCount.default(0)).describe(
    "Requests per minute of an IPv4 address or an IPv6 /64, 0 for no limit. All count but `/livez` and `/readyz`: preflights too, and each call of a joined tRPC request.",
  ),
  apiKeys: option("API_KEYS", zApiKeys.default([])).describe(
    "`name:key:limit,…`: limits of their own for who sends `X-Api-Key` or a bearer token; an unknown key counts for nothing. With `RATE_LIMIT_PER_MINUTE`.",
  ),
  trustedProxies: option(
    "TRUSTED_PROXIES",
    zAddresses.default(() => new BlockList()),
  ).describe("Addresses and networks of proxies whose `X-Forwarded-For` is trusted."),
  hstsMaxAgeSeconds: option("HSTS_MAX_AGE_SECONDS", zCount.default(0)).describe(
    "How long browsers must use TLS; with 0 there is no such header.",
  ),
});

export const protectionRules: readonly EnvironmentRule[] = [
  ({ API_KEYS, RATE_LIMIT_PER_MINUTE = "0" }) =>
    API_KEYS !== undefined && Number(RATE_LIMIT_PER_MINUTE) === 0
      ? { variable: "API_KEYS", rule: "has no effect without RATE_LIMIT_PER_MINUTE" }
      : undefined,
];

export function protectionOf(config: z.output<typeof zProtection>) {
  const { rateLimitPerMinute: limitPerMinute, apiKeys, ...options } = config;
  // Undefined sets no limits.
  const rateLimits: RateLimits | undefined =
    limitPerMinute === 0 ? undefined : { limitPerMinute, apiKeys };
  return { ...options, rateLimits };
}

export const protectionDefaults = protectionOf(zProtection.parse({}));

export type ProtectionOptions = Partial<typeof protectionDefaults>;
