import { watchEntries } from "./changelog/entries.ts";
import { watchPriceChanges } from "./pricing/price-changes.ts";
import { watchQuery } from "./search/watch-query.ts";
import { watchSnapshotChanges } from "./snapshot/snapshot.ts";
import type { StreamOperation } from "./stream.ts";

/** Every stream of the REST surface; the other operations are those of the router. */
export const streams: readonly StreamOperation[] = [
  watchEntries,
  watchPriceChanges,
  watchSnapshotChanges,
  watchQuery,
];
