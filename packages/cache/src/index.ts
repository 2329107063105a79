export type { CacheLogger, CacheStore } from "./cache-store.ts";
export { createCacheStore } from "./create-cache-store.ts";
export type { CacheStoreOptions } from "./create-cache-store.ts";
export { openRedisConnection } from "./redis-connection.ts";
export { SingleFlight } from "./single-flight.ts";
export { TagJournal } from "./tag-journal.ts";
