import type { Writable } from "node:stream";

/** A stream that may be a terminal. */
export type TerminalStream = Pick<Writable, "write"> & { isTTY?: boolean; columns?: number };
