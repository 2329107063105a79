import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import type { z } from "zod";
import type { RequestContext } from "../../../upstream/request-context.ts";
import type { NewsFeed } from "../../news-feed.ts";
import { listFreeGameEntries } from "./free-game-entries.ts";
import type { FreeGameEntry, zFreeGameFeedInput } from "./free-game-entries.ts";

/** What feeds for readers of news tell: the giveaways that have begun, newest start first, at most 100. */
export async function freeGamesFeed(
  ctx: RequestContext,
  input: z.output<typeof zFreeGameFeedInput>,
  path: string,
): Promise<NewsFeed> {
  const entries = await listFreeGameEntries(ctx, input, [GiveawayState.BEGUN]);
  return {
    id: "urn:storefront:free-games",
    title: "Free games",
    path,
    updated: entries[0]?.startDate ?? new Date(0),
    entries: entries.map((entry) => ({ ...entry, id: entryIdOf(entry), date: entry.startDate })),
  };
}

/** What a giveaway is called in feeds, wherever the gateway is. */
function entryIdOf({ giveawayId }: FreeGameEntry): string {
  return `urn:storefront:giveaway:${encodeURIComponent(giveawayId)}`;
}
