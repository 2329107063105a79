import { createContextKey } from "@connectrpc/connect";
import type { CallOptions, HandlerContext } from "@connectrpc/connect";
import { randomUUID } from "node:crypto";

const kMadeRequestId = createContextKey<string | undefined>(undefined, {
  description: "request id made for a call that came without one",
});

/** The `x-request-id` of a call, or one made for it and kept for its duration. */
export function requestIdOf(context: HandlerContext): string {
  const sent = context.requestHeader.get("x-request-id");
  if (sent !== null) return sent;
  const made = context.values.get(kMadeRequestId) ?? randomUUID();
  context.values.set(kMadeRequestId, made);
  return made;
}

// Replaced by the transport where the trace is sampled.
const traceHeaders = ["traceparent", "tracestate"];

/**
 * Options for a call made on behalf of an incoming one: it is cancelled with it, has at most the
 * time that remains (and at most `budgetMs`), and carries its request id and trace.
 */
export function onward(context: HandlerContext, budgetMs = Infinity): CallOptions {
  const timeoutMs = Math.min(context.timeoutMs() ?? Infinity, budgetMs);
  const headers: Record<string, string> = { "x-request-id": requestIdOf(context) };
  for (const name of traceHeaders) {
    const value = context.requestHeader.get(name);
    if (value !== null) headers[name] = value;
  }
  return timeoutMs === Infinity
    ? { signal: context.signal, headers }
    : // A timeout of 0 would mean none.
      { signal: context.signal, headers, timeoutMs: Math.max(1, Math.floor(timeoutMs)) };
}
