import { createCountingWindows, takeFrom } from "./counting-windows.ts";
import type { Usage } from "./counting-windows.ts";

/** Counts requests by client in windows that begin with the first request of each. */
export interface RequestCounter {
  /** Takes `cost` requests of a client's `limit` if so many are left, and otherwise none; never rejects. */
  take(client: string, cost: number, limit: number): Usage | Promise<Usage>;
  close(): Promise<void>;
}

/** Counts at once. */
export interface MemoryCounter extends RequestCounter {
  take(client: string, cost: number, limit: number): Usage;
}

/** Counts in this process, for at most `clientsMax` clients at a time. */
export function createMemoryCounter(windowMs: number, clientsMax?: number): MemoryCounter {
  const windows = createCountingWindows(
    windowMs,
    (endsAtMs) => ({ count: 0, endsAtMs }),
    clientsMax,
  );
  return {
    take: (client, cost, limit) => takeFrom(windows.at(client), cost, limit),
    close: () => Promise.resolve(),
  };
}
