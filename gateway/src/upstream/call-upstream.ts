import { createContextValues } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import { tookTooLong } from "../errors/public-error.ts";
import { readLogKey } from "../tags/read-log.ts";
import type { CallScope } from "./call-scope.ts";
import { upstreamErrorOf } from "./upstream-error.ts";

// Enough to find the requests of a joined call in the logs without an endless header.
const joinedIdsMax = 8;

/**
 * Makes one call to a service for a request: with its remaining time, id, trace and abort signal. The duration is recorded
 * for `Server-Timing`, what the call read for the response cache. Fails with the gateway's own errors only.
 *
 * @param name service and method, such as `catalog.ListItems`
 */
export async function callUpstream<Result>(
  scope: CallScope,
  name: string,
  call: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  return await noted(scope, name, () => {
    const options = callOptionsOf([scope], scope.signal);
    if (scope.reads === undefined) return call(options);
    const contextValues = createContextValues().set(readLogKey, scope.reads);
    return call({ ...options, contextValues });
  });
}

/** Runs `work` as a call to a service that the request waits for; see `callUpstream`. */
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
