import { createContextKey } from "@connectrpc/connect";
import type { HandlerContext } from "@connectrpc/connect";
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
