import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import type { z } from "zod";
import type { RequestContext } from "../../../upstream/request-context.ts";
import { listFreeGameEntries } from "./free-game-entries.ts";
import type { FreeGameEntry, zFreeGameFeedInput } from "./free-game-entries.ts";

const maxEntries = 100;

/** What feeds for readers of news tell: the giveaways that have begun, newest start first, at most 100. */
export async function listBegunEntries(
  ctx: RequestContext,
  input: z.output<typeof zFreeGameFeedInput>,
): Promise<FreeGameEntry[]> {
  const states = [GiveawayState.CURRENT, GiveawayState.PAST] as const;
  const entries = await listFreeGameEntries(ctx, input, states);
  return entries
    .toSorted(
      (a, b) =>
        b.startDate.getTime() - a.startDate.getTime() || (a.giveawayId < b.giveawayId ? -1 : 1),
    )
    .slice(0, maxEntries);
}

/** What a giveaway is called in feeds, wherever the gateway is. */
export function entryIdOf({ giveawayId }: FreeGameEntry): string {
  return `urn:storefront:giveaway:${encodeURIComponent(giveawayId)}`;
}
