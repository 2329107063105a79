import type { AnyTRPCRouter } from "@trpc/server";
import { httpDefaults } from "../http/http-options.ts";
import { readJsonBody } from "../http/json-body.ts";
import type { OperationMeta } from "../operations/operation.ts";
import { operationsOf } from "../operations/operations-of.ts";
import type { Endpoint } from "./endpoint.ts";
import { createInputReader } from "./read-input.ts";

/**
 * The endpoints of a router's operations.
 *
 * @param bodyLimitBytes largest request body
 */
export function operationEndpoints(
  router: AnyTRPCRouter,
  bodyLimitBytes = httpDefaults.bodyLimitBytes,
): Endpoint[] {
  return operationsOf(router).map((meta): Endpoint => {
    const { method, path, operationId, storable, listed, deprecated } = meta;
    return {
      method,
      operation: operationId,
      path,
      storable,
      listed,
      deprecated,
      takesCountry: "country" in meta.input.shape,
      ask: method === "GET" ? askGet(meta) : askPost(meta, bodyLimitBytes),
    };
  });
}

function askGet({ input, path, ask }: OperationMeta): Endpoint["ask"] {
  const readInput = createInputReader(input, path);
  return (request) => ask(readInput(request));
}

function askPost(
  { input, path, queryNames, ask }: OperationMeta,
  bodyLimitBytes: number,
): Endpoint["ask"] {
  const readInput = createInputReader(input, path, queryNames);
  return async (request) => {
    const parameters = readInput(request);
    const body = await readJsonBody(request.message, bodyLimitBytes);
    return ask(withParameters(body, queryNames, parameters));
  };
}

/** Query parameters have no meaning in the body. A body that is not an object is for the schema to refuse. */
function withParameters(
  body: unknown,
  queryNames: readonly string[],
  parameters: Record<string, unknown>,
): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const members = Object.entries(body).filter(([name]) => !queryNames.includes(name));
  return { ...Object.fromEntries(members), ...parameters };
}
