import {
  ExportSearchResponseSchema,
  SavedQuerySchema,
  SearchObservationSchema,
} from "@storefront/contracts/search/v1/search_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { batchesOf } from "@storefront/ingest";
import { EncodedWriter } from "@storefront/rpc";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import type { SearchIngestHandlers } from "./handlers.ts";

const observation = SearchObservationSchema.field;
const saved = SavedQuerySchema.field;

export function exportSearch(deps: {
  queries: SavedQueryStore;
}): SearchIngestHandlers["exportSearch"] {
  return () => batchesOf(ExportSearchResponseSchema, everything(deps.queries));
}

async function* everything(queries: SavedQueryStore): AsyncGenerator<Uint8Array> {
  for await (const { id, query } of queries.all()) {
    const record = new EncodedWriter()
      .string(saved.id.number, id)
      .message(saved.query.number, query)
      .finish();
    yield new EncodedWriter()
      .varint(observation.operation.number, ObservationOperation.UPSERT)
      .message(observation.savedQuery.number, record)
      .finish();
  }
}
