import type { AnyTRPCRouter } from "@trpc/server";
import { httpDefaults } from "../http/http-options.ts";
import { readJsonBody } from "../http/json-body.ts";
import type { OperationMeta } from "../operations/operation.ts";
import { hasBody, operationsOf } from "../operations/operations-of.ts";
import type { AdminAccess } from "../protection/admin-access.ts";
import type { Endpoint } from "./endpoint.ts";
import { createInputReader } from "./read-input.ts";

/**
 * The endpoints of a router's operations; without ADMIN_TOKEN there are none for administrators.
 *
 * @param bodyLimitBytes largest request body
 */
export function operationEndpoints(
  router: AnyTRPCRouter,
  admin: AdminAccess,
  bodyLimitBytes = httpDefaults.bodyLimitBytes,
): Endpoint[] {
  const operations = operationsOf(router).filter(({ isAdmin }) => !isAdmin || admin.isEnabled);
  return operations.map((meta): Endpoint => {
    const { method, path, operationId, isAdmin, storable, listed, deprecated } = meta;
    const ask = hasBody(meta) ? askBody(meta, bodyLimitBytes) : askWithoutBody(meta);
    return {
      method,
      operation: operationId,
      path,
      storable,
      listed,
      deprecated,
      takesCountry: !isAdmin && "country" in meta.input.shape,
      ask: isAdmin ? afterCheck(admin, ask) : ask,
    };
  });
}

/** Checks the token before anything of the request is read. */
function afterCheck({ check }: AdminAccess, ask: Endpoint["ask"]): Endpoint["ask"] {
  return (request) => {
    check(request.message.headers.authorization);
    return ask(request);
  };
}

function askWithoutBody({ input, path, ask }: OperationMeta): Endpoint["ask"] {
  const readInput = createInputReader(input, path);
  return (request) => ask(readInput(request));
}

function askBody(
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
