import type { ServiceImpl } from "@connectrpc/connect";
import type { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import type { SearchIngestService } from "@storefront/contracts/search/v1/search_ingest_service";
import type { SearchService } from "@storefront/contracts/search/v1/search_service";

/** The handlers of the reads, by RPC; what each gives is said in the contract. */
export type SearchHandlers = ServiceImpl<typeof SearchService>;

/** The handlers that look after the index, by RPC. */
export type SearchIndexHandlers = ServiceImpl<typeof SearchIndexService>;

/** The handlers of the writes, by RPC: of what is saved here. */
export type SearchIngestHandlers = ServiceImpl<typeof SearchIngestService>;
