/** Whether a request was admitted, and what is left of its client's limit. */
export interface Usage {
  isAdmitted: boolean;
  /** Requests that are left in the window. */
  left: number;
  /** Milliseconds until the next window. */
  resetsInMs: number;
}

/** Counts requests by client in windows that begin with the first request of each. */
export interface RequestCounter {
  /** Takes `cost` requests of a client's `limit` if so many are left, otherwise none; never rejects. */
  take(client: string, cost: number, limit: number): Usage | Promise<Usage>;
  close(): Promise<void>;
}

/** Counts in this process, for at most `clientsMax` clients at a time. */
export function createMemoryCounter(windowMs: number, clientsMax?: number) {
  const begin = (endsAtMs: number): CountingWindow => ({ count: 0, endsAtMs });
  const windowOf = createCountingWindows(windowMs, begin, clientsMax);
  return {
    take: (client: string, cost: number, limit: number) => takeFrom(windowOf(client), cost, limit),
    close: () => Promise.resolve(),
  } satisfies RequestCounter;
}

/** A client's present window. */
export interface CountingWindow {
  /** Requests that were admitted, as far as this process knows. */
  count: number;
  /** On the clock of `performance.now()`. */
  endsAtMs: number;
}

/** Some 20 MB at most. */
const defaultClientsMax = 100_000;

/**
 * Finds the present window of a client, or begins one. Beyond `clientsMax` the oldest window is evicted: counters of
 * libraries store every address for the whole window, so that a flood from many addresses fills the memory.
 *
 * @param begin makes a window that ends then
 */
export function createCountingWindows<Window extends CountingWindow>(
  windowMs: number,
  begin: (endsAtMs: number) => Window,
  clientsMax = defaultClientsMax,
): (client: string) => Window {
  // In the order in which windows begin, which is about that in which they end.
  const windows = new Map<string, Window>();
  return (client) => {
    const nowMs = performance.now();
    const present = windows.get(client);
    if (present !== undefined && present.endsAtMs > nowMs) return present;
    windows.delete(client);
    for (const [known, { endsAtMs }] of windows) {
      if (endsAtMs > nowMs && windows.size < clientsMax) break;
      windows.delete(known);
    }
    const window = begin(nowMs + windowMs);
    windows.set(client, window);
    return window;
  };
}

/** Takes requests from what is left in a window, if they are all there. */
export function takeFrom(window: CountingWindow, cost: number, limit: number): Usage {
  const isAdmitted = window.count + cost <= limit;
  if (isAdmitted) window.count += cost;
  return usageOf(window, isAdmitted, limit);
}

/** The state of a window as clients see it. */
export function usageOf(window: CountingWindow, isAdmitted: boolean, limit: number): Usage {
  return {
    isAdmitted,
    // Gateways together may have admitted more, and the limit of a key may have been a higher one.
    left: Math.max(0, limit - window.count),
    // Whole ones: a clock with fractions plus a minute, less the clock, may be more than a minute.
    resetsInMs: Math.max(0, Math.round(window.endsAtMs - performance.now())),
  };
}
