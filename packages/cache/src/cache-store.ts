/** What the package needs of a logger; a pino logger fits. */
export interface CacheLogger {
  warn(details: object, message: string): void;
}

/**
 * Values by key that may be forgotten at any time, shared by processes. A cache that is unreachable holds nothing and
 * takes nothing, so that readers go on without it; only `probe` tells. None of these takes longer
 * than a second, whatever the cache does.
 */
export interface CacheStore {
  /** The value, as JSON gave it back (Buffers stay Buffers), or undefined. */
  get(key: string): Promise<unknown>;
  /** Keeps a JSON value or a Buffer. `ttlMs` is how long at most; default for ever. */
  set(key: string, value: unknown, ttlMs?: number): Promise<void>;
  /** Milliseconds that a round trip takes; rejects when the cache does not answer. */
  probe(): Promise<number>;
  /** Lets go of the connection. A second call does nothing. */
  close(): Promise<void>;
}
