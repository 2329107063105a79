import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import type { PriceChange as PriceChangeRecord } from "@storefront/contracts/pricing/v1/price_change";
import { asOfferId } from "@storefront/domain/identifiers";
import type { ChangelogEntry } from "../records/changelog-entry.ts";
import { changelogDocumentOf } from "../records/change-context.ts";
import { changelogEntryOf } from "../records/changelog-entry.ts";
import type { PriceChange } from "../records/price-change.ts";
import { priceChangeOf } from "../records/price-change.ts";
import { contextKeyOf } from "../upstream/lookup-reads.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { bestEffort } from "./best-effort.ts";

/** How long a response waits for what its changes are about, in milliseconds. */
const enrichmentBudgetMs = 250;

const enrichedTypes = new Set(["offer", "item", "asset", "build"]);

/** Entries with their `metadata.context`, by one lookup. If the catalog fails or is too slow, every context is null. */
export async function withContexts(
  ctx: RequestContext,
  entries: readonly Entry[],
): Promise<ChangelogEntry[]> {
  const contexts = await findChangeContexts(ctx, entries);
  return entries.map((entry) => changelogEntryOf(entry, contexts.get(contextKeyOf(entry))));
}

/** As `withContexts`, with their `document` from the same lookup. */
export async function withDocuments(
  ctx: RequestContext,
  entries: readonly Entry[],
): Promise<ChangelogEntry[]> {
  const contexts = await findChangeContexts(ctx, entries);
  return entries.map((entry) => {
    const context = contexts.get(contextKeyOf(entry));
    const document = context === undefined ? null : changelogDocumentOf(context);
    return { ...changelogEntryOf(entry, context), document };
  });
}

async function findChangeContexts(
  ctx: RequestContext,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, ChangeContext | undefined>> {
  const enriched = entries.filter(({ contextType }) => enrichedTypes.has(contextType));
  const keys = [...new Set(enriched.map(contextKeyOf))];
  const found = await bestEffort(ctx, "catalog", enrichmentBudgetMs, (scope) =>
    ctx.clients.loadChangeContexts(scope, "", keys),
  );
  return new Map(keys.map((key, index) => [key, found?.[index]]));
}

/** Changes of prices with their offers, by one lookup. If the catalog fails or is too slow, every offer is null. */
export async function withOffers(
  ctx: RequestContext,
  changes: readonly PriceChangeRecord[],
): Promise<PriceChange[]> {
  const ids = [...new Set(changes.map(({ offerId }) => asOfferId(offerId)))];
  const found = await bestEffort(ctx, "catalog", enrichmentBudgetMs, (scope) =>
    ctx.clients.loadOffers(scope, "", ids),
  );
  const offers = new Map(ids.map((id, index) => [id, found?.[index]?.offer]));
  return changes.map((change) => priceChangeOf(change, offers.get(asOfferId(change.offerId))));
}
