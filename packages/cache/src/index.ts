export type { CacheLogger, CacheStore, CacheStoreOptions } from "./create-cache-store.ts";
export { createCacheStore } from "./create-cache-store.ts";
export { openRedisConnection } from "./redis-connection.ts";
export { TagJournal } from "./tag-journal.ts";
