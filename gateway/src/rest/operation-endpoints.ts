import type { AnyTRPCRouter } from "@trpc/server";
import { z } from "zod";
import { defaultBodyLimitBytes, readJsonBody } from "../http/json-body.ts";
import { queryValues } from "../http/target.ts";
import type { AskedOperation, OperationMeta } from "../operations/operation.ts";
import { operationsOf } from "../operations/operations-of.ts";
import { bodiesOf, questionOf } from "../operations/question-of.ts";
import { deprecationHeaders } from "./deprecation-headers.ts";
import type { Endpoint, EndpointRequest } from "./endpoint.ts";
import { pathMembersOf, pathNamesOf } from "./path-names.ts";

/**
 * The endpoints of a router's operations.
 *
 * @param bodyLimitBytes largest request body; default 256 KiB
 */
export function operationEndpoints(
  router: AnyTRPCRouter,
  bodyLimitBytes = defaultBodyLimitBytes,
): Endpoint[] {
  return operationsOf(router).map((meta): Endpoint => {
    const { method, path, operationId } = meta.openapi;
    const pathNames = pathNamesOf(path);
    const takesCountry = "country" in meta.input.shape;
    const ask = method === "GET" ? askGet(meta, pathNames) : askPost(meta, bodyLimitBytes);
    return {
      method,
      operation: operationId,
      path,
      storable: meta.storable,
      ...(meta.deprecation && { deprecationHeaders: deprecationHeaders(meta.deprecation) }),
      takesCountry,
      async ask(request) {
        const { run } = await ask(request);
        return async (ctx) => bodiesOf(await run(ctx));
      },
      ...(meta.isCached && {
        async question(request) {
          return questionOf(meta, await ask(request));
        },
      }),
    };
  });
}

type Ask = (request: EndpointRequest) => Promise<AskedOperation>;

function askGet({ input, ask }: OperationMeta, pathNames: string[]): Ask {
  const queryNames = Object.keys(input.shape).filter((name) => !pathNames.includes(name));
  const readQuery = queryReader(input, queryNames);
  return async ({ pathValues, query }) => {
    return ask({ ...readQuery(query), ...pathMembersOf(pathNames, pathValues) });
  };
}

function askPost({ input, queryNames, ask }: OperationMeta, bodyLimitBytes: number): Ask {
  const readQuery = queryReader(input, queryNames);
  return async ({ message, query }) => {
    const parameters = readQuery(query);
    const body = await readJsonBody(message, bodyLimitBytes);
    return ask(withParameters(body, queryNames, parameters));
  };
}

// What is a query parameter has no meaning in the body. What is no object goes on to the schema,
// which says so.
function withParameters(
  body: unknown,
  queryNames: readonly string[],
  parameters: Record<string, unknown>,
): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const members = Object.entries(body).filter(([name]) => !queryNames.includes(name));
  return { ...Object.fromEntries(members), ...parameters };
}

function queryReader(
  input: z.ZodObject,
  names: readonly string[],
): (query: string) => Record<string, unknown> {
  const known = new Set(names);
  const integers = membersOf(input, "integer");
  const booleans = membersOf(input, "boolean");
  return (query) => {
    const values: Record<string, unknown> = {};
    for (const [name, value] of queryValues(query, known)) {
      if (integers.has(name)) values[name] = integerOrText(value);
      else values[name] = booleans.has(name) ? booleanOrText(value) : value;
    }
    return values;
  };
}

/** Names of the members of a JSON type, which a query carries as text. */
function membersOf(input: z.ZodObject, type: "integer" | "boolean"): ReadonlySet<string> {
  const { properties = {} } = z.toJSONSchema(input, { io: "input" });
  const isOfType = ([, schema]: [string, unknown]) =>
    typeof schema === "object" && schema !== null && "type" in schema && schema.type === type;
  return new Set(
    Object.entries(properties)
      .filter(isOfType)
      .map(([name]) => name),
  );
}

// Text that is no number goes on to the schema, which names the rule. A number beyond the safe
// ones counts as the largest of them: as a limit it is lowered, as a page it is out of reach.
function integerOrText(value: string): number | string {
  return /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value;
}

function booleanOrText(value: string): boolean | string {
  return value === "true" || (value === "false" ? false : value);
}
