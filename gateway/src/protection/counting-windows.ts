/** What became of a request, and what its client may still ask for in its present minute. */
export interface Usage {
  isAdmitted: boolean;
  /** Requests that are left. */
  left: number;
  /** Milliseconds until all of them are there again. */
  resetsInMs: number;
}

/** What a client has asked for in its present window. */
export interface CountingWindow {
  /** Requests that were admitted, as far as is known here. */
  count: number;
  /** On the clock of `performance.now()`. */
  endsAtMs: number;
}

/** Windows of clients, each of which begins with the first request. */
export interface CountingWindows<Window extends CountingWindow> {
  /** The client's present window; a new one if it has none. */
  at(client: string): Window;
}

// Some 20 MB at most; beyond, the oldest window is given up.
const defaultClientsMax = 100_000;

/**
 * Windows in this process. The counters of the libraries at hand keep every address for the whole
 * window, so that a flood from many addresses fills the memory; here there are at most `clientsMax`.
 *
 * @param begin makes a window that ends then
 */
export function createCountingWindows<Window extends CountingWindow>(
  windowMs: number,
  begin: (endsAtMs: number) => Window,
  clientsMax = defaultClientsMax,
): CountingWindows<Window> {
  // In the order in which windows begin, which is about that in which they end.
  const windows = new Map<string, Window>();

  return {
    at(client) {
      const nowMs = performance.now();
      const present = windows.get(client);
      if (present !== undefined && present.endsAtMs > nowMs) return present;
      // So that the new one is the last.
      windows.delete(client);
      for (const [known, { endsAtMs }] of windows) {
        if (endsAtMs > nowMs && windows.size < clientsMax) break;
        windows.delete(known);
      }
      const window = begin(nowMs + windowMs);
      windows.set(client, window);
      return window;
    },
  };
}

/** Takes requests from what is left in a window, if they are all there. */
export function takeFrom(window: CountingWindow, cost: number, limit: number): Usage {
  const isAdmitted = window.count + cost <= limit;
  if (isAdmitted) window.count += cost;
  return usageOf(window, isAdmitted, limit);
}

/** What a client is told of its window. */
export function usageOf(window: CountingWindow, isAdmitted: boolean, limit: number): Usage {
  return {
    isAdmitted,
    // Gateways together may have admitted more, and the limit of a key may have been a higher one.
    left: Math.max(0, limit - window.count),
    // Whole ones: a clock with fractions plus a minute, less the clock, may be more than a minute.
    resetsInMs: Math.max(0, Math.round(window.endsAtMs - performance.now())),
  };
}
