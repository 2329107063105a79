import { parseEnvironment } from "@storefront/process";
import { expect, test } from "vitest";
import { protectionOf, zProtection } from "./environment.ts";

const parse = (variables: Record<string, string>) =>
  protectionOf(parseEnvironment([zProtection], variables)[0]);

test("without variables there are no limits and no HSTS", () => {
  expect(parse({})).toMatchObject({ rateLimits: undefined, hstsMaxAgeSeconds: 0 });
});

test("limits, keys and proxies are lists separated by commas", () => {
  const { rateLimits, trustedProxies } = parse({
    RATE_LIMIT_PER_MINUTE: "60",
    API_KEYS: "shop:0123456789abcdef:600, app-2:fedcba9876543210:1200,",
    TRUSTED_PROXIES: "10.0.0.0/8, ::1",
  });
  expect(rateLimits?.limitPerMinute).toBe(60);
  expect(rateLimits?.apiKeys).toEqual([
    { name: "shop", key: "0123456789abcdef", limitPerMinute: 600 },
    { name: "app-2", key: "fedcba9876543210", limitPerMinute: 1200 },
  ]);
  expect(trustedProxies?.check("10.9.9.9")).toBe(true);
  expect(trustedProxies?.check("::1", "ipv6")).toBe(true);
});

const secret = "0123456789abcdef";

test.for([
  { RATE_LIMIT_PER_MINUTE: "-1" },
  { RATE_LIMIT_PER_MINUTE: "many" },
  { HSTS_MAX_AGE_SECONDS: "1y" },
  { TRUSTED_PROXIES: "10.0.0.0/40" },
  { API_KEYS: secret },
  { API_KEYS: "shop:short:60" },
  { API_KEYS: `shop:${secret}:0` },
  { API_KEYS: `shop:${secret}:60,shop:${secret}x:60` },
  { API_KEYS: `shop:${secret}:60,app:${secret}:60` },
])("%o is refused without revealing the secret", (variables: Record<string, string>) => {
  const [variable = ""] = Object.keys(variables);
  expect(() => parse(variables)).toThrow(`${variable} must be `);
  expect(() => parse(variables)).not.toThrow(secret);
});
