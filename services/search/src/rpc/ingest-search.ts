import { toBinary } from "@bufbuild/protobuf";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import type { SearchObservation } from "@storefront/contracts/search/v1/search_ingest_service";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { maxBatchSize } from "@storefront/ingest";
import { invalidFields, RequestCheck, ServiceError } from "@storefront/rpc";
import type { SavedQueryStore, StoredQuery } from "../store/saved-query-store.ts";
import type { SearchIngestHandlers } from "./handlers.ts";
import { checkQuery, messageOf, queryOf } from "./query-messages.ts";

/** As SaveQuery gives them. */
const idForm = /^[0-9a-f]{32}$/;

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
      if (observations.length === 0 || observations.length > maxBatchSize) {
        const description = `must have 1 to ${maxBatchSize} elements`;
        throw invalidFields([{ field: "observations", description }]);
      }
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
  const { id, query } = record.value;
  try {
    const check = new RequestCheck();
    check.that("id", idForm.test(id), "must be 32 hexadecimal digits");
    check.that("query", query !== undefined, "is required");
    checkQuery(check, query);
    check.done();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { field = "", description } = error.fieldViolations[0] ?? {};
    return { reason: `savedQuery.${field} ${description}`, field };
  }
  return { id, query: toBinary(OfferQuerySchema, messageOf(queryOf(query))) };
}

function isQuery(read: StoredQuery | Refusal): read is StoredQuery {
  return "query" in read;
}
