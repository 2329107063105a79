import { subscribe } from "node:diagnostics_channel";
import type { Http2Session } from "node:http2";

/**
 * What a caller may send before it has to hear that some was read, in bytes: two batches of an import.
 * The protocol's 64 KiB take sixteen turns of a busy event loop for each mebibyte.
 */
const windowBytes = 2 * 1024 * 1024;

const widened = new WeakSet<Http2Session>();
let isSubscribed = false;

/** Widens the windows of this process's HTTP/2 servers, for which grpc-js has an option on its clients only. */
export function widenReceiveWindows(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe("http2.server.stream.created", (message) => {
    const session = sessionOf(message);
    if (session === undefined || widened.has(session)) return;
    widened.add(session);
    session.settings({ initialWindowSize: windowBytes });
    session.setLocalWindowSize(windowBytes);
  });
}

function sessionOf(message: unknown): Http2Session | undefined {
  if (typeof message !== "object" || message === null || !("stream" in message)) return undefined;
  const { session } = message.stream as { readonly session?: Http2Session };
  return session;
}
