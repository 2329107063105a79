import type { Transport } from "@connectrpc/connect";

/** A Connect transport that holds connections. */
export interface ClosableTransport extends Transport {
  /** Lets running calls finish, then closes the connections. Streams without an end must be aborted first. */
  close(): Promise<void>;
}
