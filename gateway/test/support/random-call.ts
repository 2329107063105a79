import * as fc from "fast-check";
import type { OperationMeta } from "../../src/operations/operation.ts";
import { operationsByPath } from "../../src/operations/operations-of.ts";
import { appRouter } from "../../src/operations/router.ts";
import type { AskOptions } from "./http-client.ts";
import { savedQueryId } from "./search.ts";

/** A call of an operation that only reads, for both surfaces. */
export interface Call {
  /** Path of the procedure, such as `catalog.getOffer`. */
  procedure: string;
  input: Record<string, unknown>;
  /** Named by a cookie. */
  country: string | undefined;
  rest: { path: string; options: AskOptions };
}

const countries = ["US", "us", "DE", "de", "FR", "JP", "MX"];
const locales = ["en-US", "en-us", "de-DE", "de-de", "ja-JP"];
const ids = ["full", "bare", "item", "e2", savedQueryId, "nope", "a b/ü"];

/** Allowed values of members by their name; some mean the same. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  id: ids,
  sandboxId: ["room", "nope"],
  offers: [[], ["full"], ["full", "nope"], ["nope", "full"]],
  ids: [[], ["full"], ["full", "nope", "bare", "full"], ["bare", "full"]],
  prices: [true, false],
  lows: [true, false],
  fields: [[], ["title", "price"], ["price", "title"], "price", "updatedAt, price"],
  slugs: [["full"], ["nope", "full"]],
  query: ["full", "  full ", "moon"],
  country: countries,
  locale: locales,
  page: [1, 2, 3],
  limit: [1, 7, 10, 1_000_000],
  topK: [1, 10],
  after: ids.slice(0, 4),
  since: ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00"],
  type: ["offer", "item"],
  verified: ["true", "false"],
  platform: ["windows", "Mac, windows", "desktop", "android,ios", "ios, android"],
  state: ["current", "upcoming", "past"],
  title: ["moon", " moon ", "über"],
  onSale: [true, false],
  aggregations: [true, false],
  disjunctiveAggregations: [true, false],
  tags: [["a"], ["a", "b"], ["b", "a"]],
  price: [{}, { min: 5 }, { min: 5, max: 10 }],
  sortBy: ["price", "releaseDate"],
  sortDir: ["asc", "desc"],
};

/** A random call with a valid input, of few values, so that calls recur. */
export const randomCall: fc.Arbitrary<Call> = fc.oneof(
  ...[...operationsByPath(appRouter)]
    .filter(([, { isMutation, isAdmin }]) => !isMutation && !isAdmin)
    // Its measurements always differ.
    .filter(([procedure]) => procedure !== "health.checkHealth")
    .map(([procedure, meta]) =>
      fc
        .tuple(inputOf(meta), fc.option(fc.constantFrom(...countries), { nil: undefined }))
        .map(([input, country]) => ({
          procedure,
          input,
          country,
          rest: restOf(meta, input, country),
        })),
    ),
);

function inputOf({ input }: OperationMeta): fc.Arbitrary<Record<string, unknown>> {
  const known = Object.entries(input.shape).flatMap(([name, schema]) => {
    const candidates = values[name]?.filter((value) => schema.safeParse(value).success) ?? [];
    return candidates.length === 0 ? [] : [[name, fc.constantFrom(...candidates)] as const];
  });
  const required = Object.entries(input.shape)
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => name);
  return fc
    .record<Record<string, unknown>>(Object.fromEntries(known), { requiredKeys: required })
    .filter((one) => input.safeParse(one).success);
}

function restOf(
  { method, path, queryNames }: OperationMeta,
  input: Record<string, unknown>,
  country: string | undefined,
): Call["rest"] {
  const cookie = country === undefined ? undefined : { cookie: `CATALOG_COUNTRY=${country}` };
  const left = new Map(Object.entries(input));
  const take = (name: string) => {
    const value = left.get(name);
    left.delete(name);
    return value;
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(take(name))),
  );
  const inQuery = method === "GET" ? [...left.keys()] : queryNames.filter((name) => left.has(name));
  const query = new URLSearchParams();
  for (const name of inQuery) {
    for (const value of [take(name)].flat()) query.append(name, String(value));
  }
  const target = query.size === 0 ? filled : `${filled}?${query.toString()}`;
  if (method === "GET") return { path: target, options: { headers: { ...cookie } } };
  const headers = { "content-type": "application/json", ...cookie };
  const body = JSON.stringify(Object.fromEntries(left));
  return { path: target, options: { method, headers, body } };
}
