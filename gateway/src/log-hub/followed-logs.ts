import { toBinary } from "@bufbuild/protobuf";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { PriceChangeSchema } from "@storefront/contracts/pricing/v1/price_change";
import type { PriceChange } from "@storefront/contracts/pricing/v1/price_change";
import { withContexts, withOffers } from "../compose/enrich-changes.ts";
import { eventBlock } from "../http/event-blocks.ts";
import type { FollowedLog } from "./followed-log.ts";

/** The contract's caps. */
const entriesPerPage = 50;
const priceChangesPerPage = 500;

/** The changelog: its events are changes in the form of the changelist. It has no topics. */
export const followedChangelog: FollowedLog<Entry> = {
  async *watch(ctx, afterEntryId, options) {
    const messages = ctx.clients.changelogStreams.watchEntries({ afterEntryId }, options);
    for await (const { entries, startedAfterEntryId: startedAfterId } of messages) {
      yield { records: entries, startedAfterId, throughId: entries.at(-1)?.id ?? "" };
    }
  },
  async page(ctx, afterId) {
    const start = { case: "afterEntryId", value: afterId } as const;
    const { entries } = await ctx.clients.changelog.listEntriesSince(ctx, {
      start,
      pageSize: entriesPerPage,
    });
    return { records: entries, nextId: entries.at(-1)?.id ?? afterId };
  },
  async blocks(ctx, entries) {
    const enriched = await withContexts(ctx, entries);
    return enriched.map(({ _id: id, ...members }) => ({
      id,
      bytes: eventBlock(id, { _id: id, ...members }),
    }));
  },
  sizeBytesOf: (entry) => toBinary(EntrySchema, entry).length,
};

/** Changes of prices in all regions. Each region is a topic. */
export const followedPriceChanges: FollowedLog<PriceChange> = {
  async *watch(ctx, afterChangeId, options) {
    const messages = ctx.clients.pricingStreams.watchPriceChanges({ afterChangeId }, options);
    let isFirst = true;
    for await (const { changes: records, throughChangeId: throughId } of messages) {
      yield { records, startedAfterId: isFirst ? throughId : "", throughId };
      isFirst = false;
    }
  },
  async page(ctx, afterId, region = "") {
    const start = { case: "afterChangeId", value: afterId } as const;
    const { changes, throughChangeId } = await ctx.clients.pricing.listPriceChanges(ctx, {
      region,
      start,
      pageSize: priceChangesPerPage,
    });
    return { records: changes, nextId: throughChangeId };
  },
  async blocks(ctx, changes) {
    const enriched = await withOffers(ctx, changes);
    return enriched.map((change) => ({
      id: change.id,
      bytes: eventBlock(change.id, change),
      topic: change.region,
      endsPast: change.isForgotten,
    }));
  },
  sizeBytesOf: (change) => toBinary(PriceChangeSchema, change).length,
};
