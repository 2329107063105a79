/** What a client has asked for in its present minute. */
export interface Usage {
  /** Requests, the one just counted included. */
  count: number;
  /** Milliseconds until the count begins anew. */
  resetsInMs: number;
}

/** Counts requests by client in windows that begin with the first request of each. */
export interface RequestCounter {
  /** Adds `cost` requests; never rejects. */
  add(client: string, cost: number): Usage | Promise<Usage>;
  close(): Promise<void>;
}

/** Counts at once. */
export interface MemoryCounter extends RequestCounter {
  add(client: string, cost: number): Usage;
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
    add(client, cost) {
      const nowMs = performance.now();
      const known = windows.get(client);
      const window = known === undefined || known.endsAtMs <= nowMs ? begin(client, nowMs) : known;
      window.count += cost;
      return { count: window.count, resetsInMs: window.endsAtMs - nowMs };
    },
    close: () => Promise.resolve(),
  };
}
