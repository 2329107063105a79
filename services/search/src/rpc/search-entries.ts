import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { isLongerThan, RequestCheck } from "@storefront/rpc";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { SearchHandlers } from "./handlers.ts";

const limits = { defaultSize: 10, maxSize: 50, maxOffset: 10_000 };
const maxTextLength = 512;

export function searchEntries(deps: { engine: SearchEngine }): SearchHandlers["searchEntries"] {
  return async (request) => {
    const { text, contextType, contextId } = request;
    const check = new RequestCheck();
    check.that(
      "text",
      !isLongerThan(text, maxTextLength) && !text.includes("\0"),
      `must have at most ${maxTextLength} characters, and no NUL`,
    );
    if (contextType !== "") check.identifier("context_type", contextType);
    if (contextId !== "") check.identifier("context_id", contextId);
    const { offset, pageSize } = check.page(request, limits);
    check.done();

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
