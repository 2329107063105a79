import { Ajv2020 } from "ajv/dist/2020.js";
import openApiDocument from "../../../gateway/openapi.json" with { type: "json" };

/** A response with its body decoded. */
export interface Answer {
  status: number;
  /** By name in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** A request. */
export interface Asked {
  method: string;
  /** As in the request line. */
  target: string;
}

interface Operation {
  path: string;
  method: string;
}

/** The one type that is no text. */
const fileType = "application/gzip";

/** What `error` says for each status. */
const errorsByStatus: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  409: "LIMIT_REACHED",
  410: "GONE",
  412: "PRECONDITION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  416: "INVALID_ARGUMENT",
  429: "RATE_LIMITED",
  431: "INVALID_ARGUMENT",
  502: "UPSTREAM_FAILED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

// The document around the schemas is no schema: its keywords are unknown ones.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(openApiDocument, "document");

const paths = Object.entries(openApiDocument.paths)
  .map(([path, methods]) => ({ path, methods: Object.keys(methods), matches: matcherOf(path) }))
  // Literal paths come before parameters.
  .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length);

/** Where a response departs from the OpenAPI document or the rules for every response; empty when it does not. */
export function departures(asked: Asked, response: Answer): string[] {
  const { status, headers, body } = response;
  const problems: string[] = [];
  const demand = (isMet: boolean, problem: string) => {
    if (!isMet) problems.push(problem);
  };
  demand(headers["x-request-id"] !== undefined, "no X-Request-Id");
  demand(headers["x-content-type-options"] === "nosniff", "no nosniff");
  demand(headers["content-security-policy"] !== undefined, "no Content-Security-Policy");
  if (status === 204) {
    const isPreflight = asked.method === "OPTIONS" && headers["allow"] !== undefined;
    // tRPC responds to HEAD with 204.
    const isOfTrpc = asked.method === "HEAD" && isTrpc(asked);
    demand(isPreflight || isOfTrpc || asked.method === "DELETE", "204 to no preflight");
    return [...problems, ...without(body)];
  }
  demand(headers["cache-control"] !== undefined, "no Cache-Control");
  if (status === 304) return [...problems, ...without(body)];
  if (isPage(asked, response)) return problems;
  const type = headers["content-type"] ?? "none";
  // Streams, calendars, feeds and files, parts included; other tests check that they are well-formed.
  if ((status === 200 || status === 206) && otherTypesOf(operationOf(asked)).includes(type))
    return problems;
  const isJson = type === "application/json; charset=utf-8";
  demand(isJson || (isTrpc(asked) && type === "application/json"), `type ${type}`);
  if (status === 405) demand(headers["allow"] !== undefined, "405 without Allow");
  if (status === 503) demand(headers["retry-after"] !== undefined, "503 without Retry-After");
  if (asked.method === "HEAD") return [...problems, ...without(body)];
  return [...problems, ...bodyDepartures(asked, response)];
}

/** Where JSON departs from a schema of the document's components; empty when it does not. */
export function componentDepartures(name: string, json: unknown): string[] {
  return pointerDepartures(["components", "schemas", name], json);
}

function bodyDepartures(asked: Asked, { status, headers, body }: Answer): string[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return ["the body is not JSON"];
  }
  const operation = operationOf(asked);
  if (status === 200) {
    if (isTrpc(asked) || pathOf(asked.target) === "/openapi.json") return [];
    if (operation === undefined) return ["200 from an operation that is not documented"];
    const tagged = headers["etag"] === undefined ? ["200 without ETag"] : [];
    return [...tagged, ...schemaDepartures(operation, 200, json)];
  }
  if ((status === 201 || status === 202) && operation !== undefined) {
    return schemaDepartures(operation, status, json);
  }
  if (isTrpc(asked) && typeof json === "object" && json !== null) {
    if (Array.isArray(json) || ("error" in json && typeof json.error === "object")) return [];
  }
  const { message, error, ...others } = Object(json) as Record<string, unknown>;
  const isHealth = operation?.path === "/health" && status === 503;
  const isError =
    typeof message === "string" &&
    message.length > 0 &&
    error === errorsByStatus[status] &&
    (isHealth || Object.keys(others).length === 0);
  const shape = isError ? [] : [`not the error body of ${status}: ${body.slice(0, 200)}`];
  return operation === undefined ? shape : [...shape, ...schemaDepartures(operation, status, json)];
}

/** Types other than JSON that an operation may return. */
function otherTypesOf(operation: Operation | undefined): string[] {
  if (operation === undefined) return [];
  const { content = {} } =
    documentedPaths[operation.path]?.[operation.method]?.responses["200"] ?? {};
  return Object.keys(content)
    .filter((type) => type !== "application/json")
    .map((type) => (type.includes(";") || type === fileType ? type : `${type}; charset=utf-8`));
}

interface DocumentedResponse {
  readonly description?: string;
  readonly content?: object;
  readonly $ref?: string;
}

interface Documented {
  readonly responses: Readonly<Record<string, DocumentedResponse | undefined>>;
}

const documentedPaths: Readonly<Record<string, Record<string, Documented | undefined>>> =
  openApiDocument.paths;

/** Statuses that `default` describes. */
const unplanned = [431, 500, 502, 504];

function schemaDepartures({ path, method }: Operation, status: number, json: unknown): string[] {
  const listed = unplanned.includes(status) ? "default" : String(status);
  const response = documentedPaths[path]?.[method]?.responses[listed];
  if (response === undefined) return [`${status}, which is not documented`];
  const own = ["paths", path, method, "responses", listed];
  const location = response.$ref?.slice(2).split("/") ?? own;
  return pointerDepartures([...location, "content", "application/json", "schema"], json);
}

function pointerDepartures(location: readonly string[], json: unknown): string[] {
  const pointer = location.map(pointerPart).join("/");
  const validate = ajv.getSchema(`document#/${pointer}`);
  if (validate === undefined) return [`no schema: ${pointer}`];
  return validate(json) === true ? [] : [`${pointer}: ${ajv.errorsText(validate.errors)}`];
}

function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function without(body: string): string[] {
  return body === "" ? [] : ["a body where there is none"];
}

/** Pages for people, and redirects to them; other tests check their content. */
function isPage({ target }: Asked, { status, headers }: Answer): boolean {
  const path = pathOf(target);
  const isPagePath = path === "/" || /^\/(?:docs|explorer)(?:\/|$)/.test(path);
  return isPagePath && (status === 302 || status === 308 || headers["etag"] !== undefined);
}

function isTrpc({ target }: Asked): boolean {
  return pathOf(target).startsWith("/trpc");
}

function operationOf({ method, target }: Asked): Operation | undefined {
  const asked = method === "HEAD" ? "get" : method.toLowerCase();
  const segments = pathOf(target).slice(1).split("/").map(decoded);
  const match = paths.find(({ matches }) => matches(segments));
  return match?.methods.includes(asked) === true ? { path: match.path, method: asked } : undefined;
}

function pathOf(target: string): string {
  const local = target.replace(/^https?:\/\/[^/?]*/i, "");
  return local.split("?", 1)[0] ?? "";
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function matcherOf(path: string): (segments: readonly string[]) => boolean {
  const parts = path.slice(1).split("/");
  return (segments) =>
    segments.length === parts.length &&
    parts.every((part, index) =>
      part.startsWith("{") ? segments[index] !== "" : part === segments[index],
    );
}
