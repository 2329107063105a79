import type { Transport } from "@connectrpc/connect";

/** A Connect transport with connections. */
export interface ClosableTransport extends Transport {
  /** Completes running calls, then closes the connections. Streams without an end must be aborted first. */
  close(): Promise<void>;
}
