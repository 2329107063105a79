import { toBinary } from "@bufbuild/protobuf";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { withContexts } from "../compose/enrich-entries.ts";
import { eventBlock } from "../http/event-blocks.ts";
import type { FollowedLog } from "./followed-log.ts";

/** The contract's cap. */
const pageSize = 50;

/** The changelog, whose events are changes as the changelist shows them. It has no topics. */
export const followedChangelog: FollowedLog<Entry> = {
  service: "changelog",
  async *watch(ctx, afterEntryId, options) {
    const messages = ctx.clients.changelogStreams.watchEntries({ afterEntryId }, options);
    for await (const { entries, startedAfterEntryId: startedAfterId } of messages) {
      yield { records: entries, startedAfterId, throughId: entries.at(-1)?.id ?? "" };
    }
  },
  async page(ctx, afterId) {
    const start = { case: "afterEntryId", value: afterId } as const;
    const { entries } = await ctx.clients.changelog.listEntriesSince(ctx, { start, pageSize });
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
