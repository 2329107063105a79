import { startImportedStack } from "../start-imported-stack.ts";
import type { ImportedStack } from "../start-imported-stack.ts";
import { fillSearchPeer } from "./fill-search-peer.ts";
import { lastOffer, writeSearchRecords } from "./search-records.ts";
import type { SearchRecords } from "./search-records.ts";

/** Offers in our index and in the peer's tables, on one PostgreSQL server. */
export type SearchCatalogue = ImportedStack<SearchRecords>;

/** Starts a stack with so many generated offers, waits for its index and fills the peer's tables. */
export async function startSearchCatalogue(offerCount: number): Promise<SearchCatalogue> {
  return await startImportedStack({
    write: (file) => writeSearchRecords(offerCount, file),
    indexed: () => ({ search: { seller: lastOffer.seller, price: {} }, total: 1 }),
    fillPeer: fillSearchPeer,
  });
}
