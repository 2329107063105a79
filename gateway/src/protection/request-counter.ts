/** What became of a request, and what its client may still ask for in its present minute. */
export interface Usage {
  isAdmitted: boolean;
  /** Requests that are left. */
  left: number;
  /** Milliseconds until all of them are there again. */
  resetsInMs: number;
}

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

interface Window {
  count: number;
  endsAtMs: number;
}

// Some 20 MB at most; beyond, the oldest window is given up.
const defaultClientsMax = 100_000;

/**
 * Counts in this process. The counters of the libraries at hand keep every address for the whole
 * window, so that a flood from many addresses fills the memory; this one keeps at most `clientsMax`.
 */
export function createMemoryCounter(
  windowMs: number,
  clientsMax = defaultClientsMax,
): MemoryCounter {
  // In the order in which windows begin, which is that in which they end.
  const windows = new Map<string, Window>();

  function begin(client: string, nowMs: number): Window {
    // Those that have ended are first, the client's own among them.
    for (const [known, { endsAtMs }] of windows) {
      if (endsAtMs > nowMs && windows.size < clientsMax) break;
      windows.delete(known);
    }
    const window = { count: 0, endsAtMs: nowMs + windowMs };
    windows.set(client, window);
    return window;
  }

  return {
    take(client, cost, limit) {
      const nowMs = performance.now();
      const known = windows.get(client);
      const window = known === undefined || known.endsAtMs <= nowMs ? begin(client, nowMs) : known;
      const isAdmitted = window.count + cost <= limit;
      if (isAdmitted) window.count += cost;
      // The limit of a key may be a lower one than that of the process before.
      const left = Math.max(0, limit - window.count);
      return { isAdmitted, left, resetsInMs: window.endsAtMs - nowMs };
    },
    close: () => Promise.resolve(),
  };
}
