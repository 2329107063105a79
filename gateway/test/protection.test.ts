import { expect, test } from "vitest";
import { addressList } from "../src/http/client-address.ts";
import openApiDocument from "../openapi.json" with { type: "json" };
import { useStack } from "./support/start-stack.ts";

const key = "correct horse battery".replaceAll(" ", "-");
const rateLimits = {
  limitPerMinute: 3,
  apiKeys: [{ name: "shop", key, limitPerMinute: 5 }],
};
const trustedProxies = addressList(["127.0.0.1"]);

const open = useStack();
const limited = useStack({ protection: { rateLimits, trustedProxies } });
const guarded = useStack({
  corsOrigins: ["https://shop.example"],
  protection: { hstsMaxAgeSeconds: 3600 },
});

let lastClient = 0;
/** The headers of a new client. */
function newClient(): { "x-forwarded-for": string } {
  lastClient += 1;
  return { "x-forwarded-for": `198.51.100.${lastClient}` };
}

test("without limits no response has headers about them", async () => {
  const { headers } = await open().ask("/regions");
  expect(headers["ratelimit"]).toBeUndefined();
  expect(headers["ratelimit-policy"]).toBeUndefined();
});

test("a response has what is left of the limit, and is 429 beyond it", async () => {
  const headers = newClient();
  for (const left of [2, 1, 0]) {
    const { status, headers: responseHeaders } = await limited().ask("/regions", { headers });
    expect(status).toBe(200);
    expect(responseHeaders["ratelimit-policy"]).toBe('"address";q=3;w=60');
    expect(responseHeaders["ratelimit"]).toMatch(new RegExp(`^"address";r=${left};t=(?:60|59)$`));
    expect(responseHeaders["retry-after"]).toBeUndefined();
  }
  const refused = await limited().ask("/regions", { headers });
  expect(refused.status).toBe(429);
  expect(refused.json).toEqual({ message: expect.any(String), error: "RATE_LIMITED" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
  expect(refused.headers["ratelimit"]).toMatch(/^"address";r=0;t=\d+$/);
  expect(refused.headers["cache-control"]).toBe("no-store");
  expect(refused.headers["access-control-allow-origin"]).toBe("*");
  expect((await limited().ask("/regions", { headers: newClient() })).status).toBe(200);
});

test("requests of every path and method count, also unknown and refused ones", async () => {
  for (const path of ["/nope", "/offers/%zz", "/trpc/pricing.listRegions", "/openapi.json"]) {
    const headers = newClient();
    for (const method of ["GET", "OPTIONS", "HEAD"]) {
      expect((await limited().ask(path, { method, headers })).status).not.toBe(429);
    }
    expect((await limited().ask(path, { method: "OPTIONS", headers })).status).toBe(429);
    const { status, headers: responseHeaders } = await limited().ask(path, { headers });
    expect({ path, status }).toEqual({ path, status: 429 });
    expect(responseHeaders["retry-after"]).toBeDefined();
  }
});

test.for(["/trpc", "/TRPC", "http://host/trpc", "ftp://host/Trpc", "//trpc"])(
  "joined tRPC calls cost a request each, below %s",
  async (path) => {
    const two = `${path}/pricing.listRegions%2Cpricing.listRegions?batch=1`;
    const headers = newClient();
    const { headers: responseHeaders } = await limited().ask(two, { headers });
    expect(responseHeaders["ratelimit"]).toMatch(/;r=1;/);
    expect((await limited().ask(two, { headers })).status).toBe(429);
  },
);

test("a batch that costs more than what is left is refused as a whole, and costs nothing", async () => {
  const batchOf = (count: number) =>
    `/trpc/${Array.from({ length: count }, () => "catalog.listItems").join()}?batch=1`;
  for (const cost of [100, 4]) {
    const headers = newClient();
    const refused = await limited().ask(batchOf(cost), { headers });
    expect(refused.status).toBe(429);
    expect(refused.json).toEqual({
      message: expect.stringContaining(`counts as ${cost}, of which none was carried out`),
      error: "RATE_LIMITED",
    });
    expect(refused.headers["ratelimit"]).toMatch(/;r=3;/);
    expect(limited().services.calls).toEqual([]);
    const { status, headers: responseHeaders } = await limited().ask(batchOf(3), { headers });
    expect(status).toBe(200);
    expect(responseHeaders["ratelimit"]).toMatch(/;r=0;/);
    expect((await limited().ask("/regions", { headers })).status).toBe(429);
    limited().services.reset();
  }
});

test("probes are never limited", async () => {
  const headers = newClient();
  for (let asked = 0; asked < 5; asked++) {
    for (const path of ["/livez", "/readyz"]) {
      expect((await limited().ask(path, { headers })).status).toBe(200);
    }
  }
});

/** Headers with the key, one for each scheme that the document lists for an operation. */
function documentedKeys({ security }: { security: readonly object[] }): Record<string, string>[] {
  const { apiKey, bearer } = openApiDocument.components.securitySchemes;
  const headers = new Map([
    ["apiKey", { [apiKey.name]: key }],
    ["bearer", { authorization: `${bearer.scheme} ${key}` }],
  ]);
  return security.flatMap((way) => Object.keys(way).map((name) => headers.get(name) ?? {}));
}

test("a key has a limit of its own, in each documented header and from any address", async () => {
  const sent = documentedKeys(openApiDocument.paths["/regions"].get);
  expect(sent).toHaveLength(2);
  for (const left of [4, 3, 2, 1, 0]) {
    const { headers } = await limited().ask("/regions", {
      headers: { ...newClient(), ...sent[left % 2] },
    });
    expect(headers["ratelimit-policy"]).toBe('"shop";q=5;w=60');
    expect(headers["ratelimit"]).toMatch(new RegExp(`^"shop";r=${left};`));
  }
  const refused = await limited().ask("/regions", { headers: { "x-api-key": key } });
  expect(refused.status).toBe(429);
});

test.for<Record<string, string>>([
  { "x-api-key": `${key}x` },
  { "x-api-key": "" },
  { authorization: "Bearer" },
  { authorization: `Basic ${key}` },
  { authorization: "Bearer a b" },
])("%o is no key: the request has the limit of its address", async (sent) => {
  const { status, headers } = await limited().ask("/regions", {
    headers: { ...newClient(), ...sent },
  });
  expect(status).toBe(200);
  expect(headers["ratelimit"]).toMatch(/^"address";r=2;/);
});

const guards = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

test.for(["/regions", "/nope", "/offers/%zz", "/openapi.json", "/trpc/nope", "/items?page=0"])(
  "%s has headers by which browsers run nothing of it",
  async (path) => {
    const { headers } = await open().ask(path);
    expect(headers).toMatchObject({ ...guards, "cross-origin-resource-policy": "cross-origin" });
    expect(headers["strict-transport-security"]).toBeUndefined();
    expect(headers["x-powered-by"]).toBeUndefined();
    expect(headers["server"]).toBeUndefined();
    const strict = await guarded().ask(path);
    expect(strict.headers).toMatchObject({
      ...guards,
      "cross-origin-resource-policy": "same-origin",
      "strict-transport-security": "max-age=3600",
    });
  },
);

test("a preflight and a 304 have the security headers too", async () => {
  const preflight = await open().ask("/regions", { method: "OPTIONS" });
  expect(preflight.headers).toMatchObject(guards);
  const unchanged = await open().ask("/regions", { headers: { "if-none-match": "*" } });
  expect(unchanged.status).toBe(304);
  expect(unchanged.headers).toMatchObject(guards);
});
