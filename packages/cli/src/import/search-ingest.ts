import { createClient } from "@connectrpc/connect";
import {
  SavedQuerySchema,
  SearchIngestService,
} from "@storefront/contracts/search/v1/search_ingest_service";
import type { SearchObservation } from "@storefront/contracts/search/v1/search_ingest_service";
import type { IngestService } from "./ingest-service.ts";
import { protobufKind } from "./protobuf-kind.ts";

type RecordCase = SearchObservation["record"];

/** Saved queries over `SearchIngestService`. */
export const searchIngest: IngestService<RecordCase> = {
  name: "search",
  kinds: {
    savedQuery: protobufKind(SavedQuerySchema, (value) => ({ case: "savedQuery", value })),
  },
  ingest: (transport, batches, options) =>
    createClient(SearchIngestService, transport).ingestSearch(batches, options),
};
