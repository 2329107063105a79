import { toBinary } from "@bufbuild/protobuf";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import { SavedQuerySchema } from "@storefront/contracts/search/v1/search_ingest_service";
import type { SearchObservation } from "@storefront/contracts/search/v1/search_ingest_service";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { violationsOf } from "@storefront/rpc";
import { canonicalQuery } from "../domain/canonical-query.ts";
import type { SavedQueryStore, StoredQuery } from "../store/saved-query-store.ts";
import type { SearchIngestHandlers } from "./handlers.ts";

/** Why an observation is not taken. */
interface Refusal {
  readonly reason: string;
  readonly field: string;
}

export function ingestSearch(deps: {
  queries: SavedQueryStore;
}): SearchIngestHandlers["ingestSearch"] {
  return async function* ingest(requests) {
    for await (const { observations } of requests) {
      yield await save(deps.queries, observations.map(readObservation));
    }
  };
}

async function save(queries: SavedQueryStore, read: readonly (StoredQuery | Refusal)[]) {
  const { saved, stored } = await queries.saveAll(read.filter(isQuery));
  const outcomes = read.map((each) => {
    if (!isQuery(each)) return IngestOutcome.REJECTED;
    // The next of the batch with this id finds it saved.
    if (saved.delete(each.id)) return IngestOutcome.WRITTEN;
    const isSame = Buffer.compare(stored.get(each.id) ?? new Uint8Array(), each.query) === 0;
    return isSame ? IngestOutcome.UNCHANGED : IngestOutcome.STALE;
  });
  const rejections = read.flatMap((each, index) => (isQuery(each) ? [] : [{ index, ...each }]));
  return { outcomes, rejections };
}

/** The query to save under the id that it was known by, also where its form is another one by now. */
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
