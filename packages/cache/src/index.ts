export type { CacheLogger, CacheStore } from "./cache-store.ts";
export { createCacheStore } from "./create-cache-store.ts";
export type { CacheStoreOptions } from "./create-cache-store.ts";
