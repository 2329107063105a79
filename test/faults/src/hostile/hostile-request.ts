import * as fc from "fast-check";
import openApiDocument from "../../../../gateway/openapi.json" with { type: "json" };
import { hostileBody } from "./hostile-body.ts";
import type { BodySchema } from "./hostile-body.ts";
import { hostileEncoded, hostileText } from "./hostile-text.ts";
import type { KnownIds } from "./known-ids.ts";

/** A request that an HTTP library can send. */
export interface HostileRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

interface Operation {
  path: string;
  method: string;
  queryNames: string[];
  bodySchema: BodySchema | undefined;
}

const schemas = new Map<string, unknown>(Object.entries(openApiDocument.components.schemas));

const operations: readonly Operation[] = Object.entries(openApiDocument.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, description]) => ({ path, method, description })),
  )
  // A stream has no end to wait for.
  .filter(({ description }) => !JSON.stringify(description.responses).includes("text/event-stream"))
  .map(({ path, method, description }) => ({
    path,
    method: method.toUpperCase(),
    queryNames: queryNamesOf(description.parameters),
    bodySchema: bodySchemaOf(description),
  }));

function queryNamesOf(parameters: readonly { name: string; in: string }[]): string[] {
  return parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
}

function bodySchemaOf(description: object): BodySchema | undefined {
  const reference = /"#\/components\/schemas\/(\w+Request)"/.exec(JSON.stringify(description))?.[1];
  return reference === undefined ? undefined : (schemas.get(reference) as BodySchema);
}

const allNames = [...new Set(operations.flatMap(({ queryNames }) => queryNames))];

/** Values that are meaningful to some parameter. */
const meaningful = [
  ..."0 1 2 3 7 10 50 100 1000 10001 100000 -1 1.5 1e3 +1 007 US us DE MX2 XX USA EN-us".split(" "),
  ..."de-DE ja-JP zh-Hant-TW x-private i-klingon true false TRUE offer item asset build".split(" "),
  ..."sandbox BASE_GAME DLC,ADD_ON Windows,mac 2026-01-01T00:00:00Z 2026-01-01".split(" "),
];

const query: (names: readonly string[]) => fc.Arbitrary<string> = (names) => {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(names.length === 0 ? allNames : names)) },
    { weight: 2, arbitrary: fc.constantFrom(...allNames) },
    { weight: 1, arbitrary: hostileEncoded },
  );
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...meaningful) },
    { weight: 1, arbitrary: hostileEncoded },
  );
  const pair = fc.oneof(
    { weight: 12, arbitrary: fc.tuple(name, value).map((both) => both.join("=")) },
    { weight: 1, arbitrary: name },
    { weight: 1, arbitrary: hostileEncoded },
  );
  return fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.join("&")}`));
};

const strayPath = fc.oneof(
  fc.array(hostileEncoded, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`),
  fc.constantFrom(
    "/",
    "//",
    "/offers",
    "/offers/",
    "/OFFERS/x",
    "/offers/x/",
    "/.",
    "/openapi.json",
  ),
  fc.constantFrom("/offers/./x", "/%2e%2e/health", "/offers/..%2fhealth", "/trpc", "/trpc/", "/;x"),
);

const procedures = "catalog.getOffer pricing.getPrice catalog.listItems search.searchOffers nope";

const trpcTarget = fc
  .tuple(
    fc.array(fc.constantFrom(...procedures.split(" ")), { minLength: 1, maxLength: 3 }),
    fc.oneof(
      hostileText,
      fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    ),
    fc.constantFrom("", "&batch=1"),
  )
  .map(([names, input, batch]) => {
    const sent = encodeURIComponent(input.toWellFormed());
    return `/trpc/${names.join(",")}?input=${sent}${batch}`;
  });

const headerText = hostileText.map((text) =>
  text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, ""),
);

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    "accept-encoding": fc.oneof(headerText, fc.constantFrom("br", "gzip", "*;q=0", "br;q=x, gzip")),
    cookie: fc.oneof(headerText, fc.constantFrom("CATALOG_COUNTRY=DE", "CATALOG_COUNTRY=XX; a")),
    "if-none-match": fc.oneof(headerText, fc.constantFrom("*", '"x"', 'W/"x", "y"')),
    "x-request-id": headerText,
    traceparent: headerText,
    origin: headerText,
    "x-forwarded-for": headerText,
    authorization: headerText,
    range: fc.constantFrom("bytes=0-1", "bytes=-1", "x"),
    accept: fc.oneof(headerText, fc.constantFrom("text/html", "application/xml;q=1")),
    "last-event-id": headerText,
    "x-http-method-override": fc.constantFrom("DELETE", "POST"),
  },
  { requiredKeys: [] },
);

const methods = "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND SEARCH M-SEARCH LINK PURGE";

const mediaTypes = [
  "application/json; charset=utf-8",
  "application/problem+json",
  "application/json; charset=utf-16",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json/json",
  ";",
];

function idsFor(path: string, known: KnownIds): string[] {
  if (path.startsWith("/sandboxes")) return known.sandboxes;
  if (path.startsWith("/items")) return known.items;
  if (path.startsWith("/changelist")) return known.entries;
  return path.startsWith("/search") ? known.queries : known.offers;
}

/** Requests that match an operation, nearly match one, or match nothing. */
export function hostileRequest(known: KnownIds): fc.Arbitrary<HostileRequest> {
  const pathOf = (path: string) => {
    const id = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...idsFor(path, known)).map(encodeURIComponent) },
      { weight: 1, arbitrary: hostileEncoded },
    );
    return id.map((value) => path.replace(/\{\w+\}/, () => value));
  };
  const toOperation = fc.constantFrom(...operations).chain((operation) => {
    const { path, method, queryNames, bodySchema } = operation;
    return fc.record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant<string>(method) },
        { weight: 1, arbitrary: fc.constant(method === "GET" ? "HEAD" : "POST") },
        { weight: 1, arbitrary: fc.constantFrom(...methods.split(" ")) },
      ),
      path: pathOf(path),
      query: query(queryNames),
      headers,
      body: hostileBody(bodySchema ?? {}),
      type: fc.oneof(
        { weight: 9, arbitrary: fc.constant("application/json") },
        { weight: 1, arbitrary: fc.constantFrom(...mediaTypes) },
      ),
    });
  });
  const stray = fc.record({
    method: fc.constantFrom("GET", "POST", "HEAD", "DELETE", "OPTIONS"),
    path: fc.oneof(strayPath, trpcTarget),
    query: fc.constant(""),
    headers,
    body: hostileBody({}),
    type: fc.constantFrom("application/json", ...mediaTypes),
  });
  return fc
    .oneof({ weight: 8, arbitrary: toOperation }, { weight: 1, arbitrary: stray })
    .map((request) => {
      const { method, path, query: asked, type, body } = request;
      const target = path + asked;
      if (["GET", "HEAD", "OPTIONS", "TRACE"].includes(method)) {
        return { method, target, headers: request.headers };
      }
      return { method, target, headers: { ...request.headers, "content-type": type }, body };
    });
}
