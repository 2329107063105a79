import { toBinary } from "@bufbuild/protobuf";
import { OfferQuerySchema } from "@storefront/contracts/search/v1/offer_query";
import { RequestCheck } from "@storefront/rpc";
import { queryId } from "../domain/canonical-query.ts";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import type { SearchHandlers } from "./handlers.ts";
import { checkQuery, messageOf, queryOf } from "./query-messages.ts";

export function saveQuery(deps: { queries: SavedQueryStore }): SearchHandlers["saveQuery"] {
  return async (request) => {
    const check = new RequestCheck();
    checkQuery(check, request.query);
    check.done();

    const query = queryOf(request.query);
    const id = queryId(query);
    await deps.queries.save(id, toBinary(OfferQuerySchema, messageOf(query)));
    return { queryId: id };
  };
}
