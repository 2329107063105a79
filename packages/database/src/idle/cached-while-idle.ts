import type { Polling } from "./polling.ts";

/**
 * A read that is asked for again and again, such as by a probe or a page of metrics, in the background.
 * What was read since the database is idle is not read again before somebody uses it.
 */
export function cachedWhileIdle<Value>(
  polling: Polling,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let cached: { readonly value: Value; readonly idleSinceMs: number } | undefined;
  return async () => {
    const { idleSinceMs } = polling;
    if (cached !== undefined && cached.idleSinceMs === idleSinceMs) return cached.value;
    const value = await polling.runInBackground(read);
    cached = idleSinceMs === undefined ? undefined : { value, idleSinceMs };
    return value;
  };
}
