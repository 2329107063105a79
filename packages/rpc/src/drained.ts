import type { EventEmitter } from "node:events";

/**
 * Resolves when the other side of a grpc-js call has taken what was written, or the call is over.
 *
 * @param over the event that ends such a call: `status` at a client, `cancelled` at a server.
 */
export async function drained(call: EventEmitter, over: "status" | "cancelled"): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      call.off("drain", done);
      call.off(over, done);
      resolve();
    };
    call.on("drain", done);
    call.on(over, done);
  });
}
