import { readTraceParent } from "@storefront/telemetry";
import type { Tracer } from "@storefront/telemetry";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ClientPresence } from "./client-presence.ts";
import type { Connection } from "./connections.ts";
import type { Exchange } from "./exchange.ts";
import { beginRequestSpan } from "./request-span.ts";

const requestIdRule = /^[\x21-\x7e]{1,128}$/;

/** Of a request that is answered before it is known what it asks for, or asks for nothing that there is. */
const unknownOperation = "unknown";

/**
 * Begins an exchange. A sent request id is kept if it is 1 to 128 visible ASCII characters.
 *
 * @param tracer undefined traces nothing
 */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
  tracer: Tracer | undefined,
): Exchange {
  const { "x-request-id": sentId, traceparent, tracestate } = request.headers;
  const parent =
    typeof traceparent === "string" ? readTraceParent(traceparent, tracestate) : undefined;
  return {
    request,
    response,
    url: request.url ?? "",
    requestId: typeof sentId === "string" && requestIdRule.test(sentId) ? sentId : randomUUID(),
    connection,
    client: new ClientPresence(),
    parent,
    span: tracer === undefined ? undefined : beginRequestSpan(tracer, request, parent),
    startedAt: performance.now(),
    operation: unknownOperation,
    route: undefined,
    cacheResult: undefined,
    failure: undefined,
    isEndless: false,
  };
}
