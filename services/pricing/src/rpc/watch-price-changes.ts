import type { LogFilter, LogSource, LogTail } from "@storefront/change-feed";
import { WatchPriceChangesResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { encodedOf } from "@storefront/rpc";
import { changeIdOf } from "../domain/price-change-id.ts";
import type { PricingHandlers } from "./handlers.ts";
import { placeAfterChange } from "./place-after-change.ts";

export function watchPriceChanges(deps: {
  changes: LogSource;
  tail: LogTail;
}): PricingHandlers["watchPriceChanges"] {
  return async function* watch({ region, afterChangeId }, { signal }) {
    const after =
      afterChangeId === "" ? await deps.changes.newest() : placeAfterChange(afterChangeId);
    yield { throughChangeId: changeIdOf(after) };
    const filter: LogFilter = { lastKeyMember: region === "" ? undefined : region };
    for await (const { entries, through } of deps.tail.watch({ after, filter, signal })) {
      yield encodedOf(WatchPriceChangesResponseSchema, {
        changes: entries,
        throughChangeId: changeIdOf(through),
      });
    }
  };
}
