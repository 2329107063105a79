import { toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import {
  ExportSearchResponseSchema,
  SavedQuerySchema,
  SearchObservationSchema,
} from "@storefront/contracts/search/v1/search_ingest_service";
import type {
  SearchIngestService,
  SearchObservation,
} from "@storefront/contracts/search/v1/search_ingest_service";
import type { SearchService } from "@storefront/contracts/search/v1/search_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { batchesOf } from "@storefront/ingest";
import { EncodedWriter, ServiceError, violationsOf } from "@storefront/rpc";
import { canonicalQuery, queryId, usesRatings } from "../domain/canonical-query.ts";
import type { SavedQueryStore, StoredQuery } from "../store/saved-query-store.ts";
import { findQuery } from "../watching/query-watches.ts";

/** Limit for new queries, since anyone may save them. Imported ones may predate the limit. */
const maxBytes = 8192;

const observationFields = SearchObservationSchema.field;
const savedFields = SavedQuerySchema.field;

export function savedQueryHandlers(deps: { queries: SavedQueryStore }) {
  return {
    async saveQuery(request) {
      const query = canonicalQuery(request.query);
      const bytes = toBinary(OfferQuerySchema, query);
      if (bytes.length > maxBytes) {
        throw new ServiceError({
          code: Code.InvalidArgument,
          reason: ErrorReason.QUERY_TOO_LONG,
          message: `the canonical query has ${bytes.length} bytes, of at most ${maxBytes}`,
          metadata: { maxBytes: String(maxBytes) },
        });
      }
      const id = queryId(query);
      const isNew = await deps.queries.save(id, bytes);
      return { queryId: id, isNew, ratingApplied: usesRatings(query) };
    },

    async getSavedQuery(request) {
      return { query: await findQuery(deps.queries, request.queryId) };
    },
  } satisfies Partial<ServiceImpl<typeof SearchService>>;
}

/** Why an observation is refused. */
interface Refusal {
  readonly reason: string;
  readonly field: string;
}

export function savedQueryIngestHandlers(deps: { queries: SavedQueryStore }) {
  return {
    async *ingestSearch(requests) {
      for await (const { observations } of requests) {
        yield await save(deps.queries, observations.map(readObservation));
      }
    },

    exportSearch: () => batchesOf(ExportSearchResponseSchema, everything(deps.queries)),
  } satisfies ServiceImpl<typeof SearchIngestService>;
}

async function save(queries: SavedQueryStore, read: readonly (StoredQuery | Refusal)[]) {
  const { saved, stored } = await queries.saveAll(read.filter(isQuery));
  const outcomes = read.map((each) => {
    if (!isQuery(each)) return IngestOutcome.REJECTED;
    // A later duplicate in the batch is UNCHANGED or STALE.
    if (saved.delete(each.id)) return IngestOutcome.WRITTEN;
    const isSame = Buffer.compare(stored.get(each.id) ?? new Uint8Array(), each.query) === 0;
    return isSame ? IngestOutcome.UNCHANGED : IngestOutcome.STALE;
  });
  const rejections = read.flatMap((each, index) => (isQuery(each) ? [] : [{ index, ...each }]));
  return { outcomes, rejections };
}

/** The query to save under its old id, even if its canonical form has changed. */
function readObservation({ operation, record }: SearchObservation): StoredQuery | Refusal {
  if (record.case === undefined) return { reason: "record is required", field: "record" };
  if (operation === ObservationOperation.DELETE) {
    return { reason: "savedQuery cannot be deleted", field: "" };
  }
  const [violation] = violationsOf(SavedQuerySchema, record.value);
  if (violation !== undefined) {
    const { field, description } = violation;
    return { reason: `savedQuery.${field} ${description}`, field };
  }
  const { id, query } = record.value;
  return { id, query: toBinary(OfferQuerySchema, canonicalQuery(query)) };
}

function isQuery(read: StoredQuery | Refusal): read is StoredQuery {
  return "query" in read;
}

async function* everything(queries: SavedQueryStore): AsyncGenerator<Uint8Array> {
  for await (const { id, query } of queries.all()) {
    const record = new EncodedWriter()
      .string(savedFields.id.number, id)
      .message(savedFields.query.number, query)
      .finish();
    yield new EncodedWriter()
      .varint(observationFields.operation.number, ObservationOperation.UPSERT)
      .message(observationFields.savedQuery.number, record)
      .finish();
  }
}
