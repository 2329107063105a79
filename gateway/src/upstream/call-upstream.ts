import { create } from "@bufbuild/protobuf";
import type {
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { makeAnyClient } from "@connectrpc/connect";
import type { CallOptions, Transport } from "@connectrpc/connect";
import { tookTooLong } from "../errors/public-error.ts";
import type { CallScope } from "./call-scope.ts";
import { noteReads } from "./note-reads.ts";
import { upstreamErrorOf } from "./upstream-error.ts";

// Enough to find the requests of a joined call in the logs without an endless header.
const joinedIdsMax = 8;

/**
 * The unary methods of a service, called for a request: with its remaining time, id, trace and abort signal. The duration
 * is recorded for `Server-Timing`, what the call read for the response cache. Fails with the gateway's own errors only.
 */
export type ServiceClient<Service extends DescService> = {
  [Name in keyof Service["method"]]: Service["method"][Name] extends DescMethodUnary<
    infer Input,
    infer Output
  >
    ? (scope: CallScope, request: MessageInitShape<Input>) => Promise<MessageShape<Output>>
    : never;
};

/** @param name the service's public name, such as `catalog` */
export function createServiceClient<Service extends DescService>(
  name: string,
  service: Service,
  transport: Transport,
): ServiceClient<Service> {
  return makeAnyClient(service, (method) =>
    method.methodKind === "unary" ? createCall(`${name}.${method.name}`, method, transport) : null,
  ) as ServiceClient<Service>;
}

function createCall(name: string, method: DescMethodUnary, transport: Transport) {
  return (scope: CallScope, init: MessageInitShape<typeof method.input>) =>
    noted(scope, name, async () => {
      const { timeoutMs, headers } = callOptionsOf([scope], scope.signal);
      const request = create(method.input, init);
      try {
        const { message } = await transport.unary(
          method,
          scope.signal,
          timeoutMs,
          headers,
          request,
        );
        if (scope.reads !== undefined) noteReads(scope.reads, method, request, message);
        return message;
      } catch (error) {
        // A response may be made without this part.
        scope.reads?.noteUnfollowed();
        throw error;
      }
    });
}

/**
 * Runs `work` as a call to a service that the request waits for; see {@link ServiceClient}.
 *
 * @param name service and method, such as `catalog.ListItems`
 */
export async function noted<Result>(
  scope: CallScope,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (error) {
    throw upstreamErrorOf(name.slice(0, name.indexOf(".")), error);
  } finally {
    scope.upstreamCalls.push({ name, durationMs: performance.now() - startedAt });
  }
}

/**
 * Options of a call that several requests wait for, with the latest of their deadlines.
 *
 * @param signal aborted when the last of them has left
 */
export function callOptionsOf(scopes: readonly CallScope[], signal: AbortSignal): CallOptions {
  const deadlineAt = scopes.reduce((latest, scope) => Math.max(latest, scope.deadlineAt), 0);
  const timeoutMs = Math.floor(deadlineAt - performance.now());
  if (timeoutMs <= 0) throw tookTooLong();
  const ids = new Set(scopes.map(({ requestId }) => requestId));
  const headers: Record<string, string> = {
    "x-request-id": [...ids].slice(0, joinedIdsMax).join(","),
  };
  const { traceparent, tracestate } = scopes.find((scope) => scope.traceparent !== undefined) ?? {};
  if (traceparent !== undefined) headers["traceparent"] = traceparent;
  if (tracestate !== undefined) headers["tracestate"] = tracestate;
  return { timeoutMs, headers, signal };
}
