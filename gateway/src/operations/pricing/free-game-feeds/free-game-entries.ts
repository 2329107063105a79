import { timestampDate, timestampNow } from "@bufbuild/protobuf/wkt";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId } from "@storefront/identifiers";
import type { Locale } from "@storefront/identifiers";
import { z } from "zod";
import { localiseOffer, requestLocale } from "../../../compose/localise-offer.ts";
import { zLocale } from "../../../schemas/parameters.ts";
import { storedPlatforms, zPlatforms } from "../../../schemas/platforms.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";
import { offerPath, onOneLine } from "../../news-feed.ts";

/** What calendars and feeds of giveaways are asked for. */
export const zFreeGameFeedInput = z.object({ platform: zPlatforms, locale: zLocale });

/** A giveaway as calendars and feeds tell of it. */
export interface FreeGameEntry {
  readonly giveawayId: string;
  /** On one line, without characters that XML and calendars cannot hold. */
  readonly title: string;
  readonly text: string;
  readonly startDate: Date;
  readonly endDate: Date | undefined;
  /** Where a person reads more, on the gateway. */
  readonly path: string;
}

/** Most of each state that a feed looks at. */
const maxOfState = {
  [GiveawayState.CURRENT]: 500,
  [GiveawayState.UPCOMING]: 500,
  [GiveawayState.PAST]: 100,
  [GiveawayState.BEGUN]: 100,
};

/**
 * The giveaways in some states now, state by state, whose start is known: nothing can be said of when the
 * others were.
 */
export async function listFreeGameEntries(
  ctx: RequestContext,
  { platform, locale }: z.output<typeof zFreeGameFeedInput>,
  states: readonly (keyof typeof maxOfState)[],
): Promise<FreeGameEntry[]> {
  const platforms = storedPlatforms(platform);
  // One for all states, so that none is in two of them.
  const at = timestampNow();
  const answers = await Promise.all(
    states.map((state) =>
      callUpstream(ctx, "pricing.ListGiveaways", (options) =>
        ctx.clients.pricing.listGiveaways(
          { state, platforms, at, pageSize: maxOfState[state] },
          options,
        ),
      ),
    ),
  );
  const giveaways = answers.flatMap((answer) => answer.giveaways);
  const titles = await findTitles(ctx, giveaways, locale);
  return giveaways.flatMap((giveaway) => entryOf(giveaway, titles) ?? []);
}

/** Titles of known offers by id, in the locale. */
async function findTitles(
  ctx: RequestContext,
  giveaways: readonly Giveaway[],
  locale: Locale,
): Promise<ReadonlyMap<string, string | null>> {
  const ids = giveaways.flatMap(({ offerId }) => offerId ?? []);
  const offerIds = [...new Set(ids)].map(asOfferId);
  const found = await ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds);
  return new Map(
    found.flatMap((offer) =>
      offer === undefined ? [] : [[offer.offer.id, localiseOffer(offer, locale).title]],
    ),
  );
}

function entryOf(
  { id, offerId = "", title, platform, startDate, endDate }: Giveaway,
  titles: ReadonlyMap<string, string | null>,
): FreeGameEntry | undefined {
  if (startDate === undefined) return undefined;
  const start = timestampDate(startDate);
  const end = endDate && timestampDate(endDate);
  return {
    giveawayId: id,
    title: onOneLine(titles.get(offerId) ?? title ?? id),
    text: `Free on ${onOneLine(platform ?? "desktop")} from ${start.toISOString()}, ${end === undefined ? "without an announced end" : `until ${end.toISOString()}`}.`,
    startDate: start,
    endDate: end,
    path: titles.has(offerId) ? offerPath(offerId) : "/explorer/",
  };
}
