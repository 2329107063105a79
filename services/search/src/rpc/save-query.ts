import { toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { canonicalQuery, queryId } from "../domain/canonical-query.ts";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import type { SearchHandlers } from "./handlers.ts";

/** Of a query that anybody may have kept. Those that are imported may have been saved before there was a limit. */
const maxBytes = 8192;

export function saveQuery(deps: { queries: SavedQueryStore }): SearchHandlers["saveQuery"] {
  return async (request) => {
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
    await deps.queries.save(id, bytes);
    return { queryId: id };
  };
}
