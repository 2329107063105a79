import { toBinary } from "@bufbuild/protobuf";
import { PriceChangeSchema } from "@storefront/contracts/pricing/v1/price_change";
import type { PriceChange } from "@storefront/contracts/pricing/v1/price_change";
import { withOffers } from "../compose/enrich-price-changes.ts";
import { eventBlock } from "../http/event-blocks.ts";
import type { FollowedLog } from "./followed-log.ts";

/** The contract's cap. */
const pageSize = 500;

/** Changes of prices in all regions, each of which is a topic. */
export const followedPriceChanges: FollowedLog<PriceChange> = {
  service: "pricing",
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
      pageSize,
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
