import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { SearchEntriesRequestSchema } from "@storefront/contracts/search/v1/search_service";
import { pageOf } from "@storefront/rpc";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { SearchHandlers } from "./handlers.ts";

export function searchEntries(deps: { engine: SearchEngine }): SearchHandlers["searchEntries"] {
  return async (request) => {
    const { text, contextType, contextId } = request;
    const { offset, pageSize } = pageOf(SearchEntriesRequestSchema, request);

    const startMs = performance.now();
    const hits = await deps.engine.searchEntries({
      text,
      contextType: contextType || undefined,
      contextId: contextId || undefined,
      offset,
      limit: pageSize,
    });
    const { indexedUntilMs } = hits;
    return {
      entryIds: [...hits.entryIds],
      totalSize: BigInt(hits.total),
      engineMs: performance.now() - startMs,
      ...(indexedUntilMs === undefined ? {} : { indexedUntil: timestampFromMs(indexedUntilMs) }),
    };
  };
}
