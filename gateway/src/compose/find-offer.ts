import { noted } from "../upstream/call-upstream.ts";
import type { FoundOffer } from "../upstream/clients.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { requestLocale } from "./localise-offer.ts";

/** One offer with its text in the locale; undefined when unknown. */
export async function findOffer(
  ctx: RequestContext,
  offerId: string,
  locale: string,
): Promise<FoundOffer | undefined> {
  const [found] = await findOffers(ctx, [offerId], locale);
  return found;
}

/** Many offers, in the order of the ids, undefined in the place of an unknown one. */
export async function findOffers(
  ctx: RequestContext,
  offerIds: readonly string[],
  locale: string,
): Promise<(FoundOffer | undefined)[]> {
  if (offerIds.length === 0) return [];
  return await noted(ctx, "catalog.BatchGetOffers", () =>
    ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds),
  );
}
