import {
  CurrentGiveawaySchema,
  ListCurrentGiveawaysResponseSchema,
  ListGiveawaysRequestSchema,
  ListGiveawaysResponseSchema,
  ListOfferGiveawaysResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId } from "@storefront/domain/identifiers";
import { encodedOf, EncodedWriter, pageOf } from "@storefront/rpc";
import type { GiveawayStore, StoredGiveaway } from "../store/giveaway-store.ts";
import { instantAsked, validForMs } from "./handlers.ts";
import type { PricingHandlers } from "./handlers.ts";

const maxGiveaways = 1_000;
const maxOffers = 50_000;
const { giveaway, historical } = CurrentGiveawaySchema.field;

export function giveawayHandlers(deps: { giveaways: GiveawayStore }) {
  return {
    async listCurrentGiveaways(request) {
      const { platforms } = request;
      const at = instantAsked(request.at);

      const [current, next] = await Promise.all([
        deps.giveaways.currentOn(platforms, at, maxGiveaways),
        deps.giveaways.nextCurrentChange(platforms, at),
      ]);
      const offerIds = new Set(current.map(({ offerId }) => offerId).filter((id) => id !== null));
      const ofOffers = await deps.giveaways.ofOffers([...offerIds]);
      const currentGiveaways = current.map((each) =>
        encodeEntry(each, earlierGiveaways(each, ofOffers.get(each.offerId) ?? [])),
      );
      return encodedOf(ListCurrentGiveawaysResponseSchema, {
        currentGiveaways,
        validForMs: validForMs(at, next),
      });
    },

    async listGiveaways(request) {
      const { state, platforms } = request;
      const at = instantAsked(request.at);
      const { pageSize, offset } = pageOf(ListGiveawaysRequestSchema, request);

      const [{ records, total }, next] = await Promise.all([
        deps.giveaways.inState({ state, platforms, at }, pageSize, offset),
        deps.giveaways.nextChange(at),
      ]);
      return encodedOf(ListGiveawaysResponseSchema, {
        giveaways: records,
        totalSize: total,
        validForMs: validForMs(at, next),
      });
    },

    async listOfferGiveaways({ offerId }) {
      const stored = await deps.giveaways.ofOffer(asOfferId(offerId), maxGiveaways);
      return encodedOf(ListOfferGiveawaysResponseSchema, {
        giveaways: stored.map(({ record }) => record),
      });
    },

    async listGivenAwayOffers(request) {
      const at = instantAsked(request.at);

      const [offerIds, next] = await Promise.all([
        deps.giveaways.offersGivenAwayBy(at, maxOffers),
        deps.giveaways.nextStart(at),
      ]);
      return { offerIds, validForMs: BigInt(validForMs(at, next)) };
    },
  } satisfies PricingHandlers;
}

function encodeEntry({ record }: StoredGiveaway, earlier: readonly StoredGiveaway[]): Uint8Array {
  return new EncodedWriter()
    .message(giveaway.number, record)
    .messages(
      historical.number,
      earlier.map((each) => each.record),
    )
    .finish();
}

/** Of the giveaways of one offer, those that started before `current`, in the order given. */
function earlierGiveaways(
  current: StoredGiveaway,
  ofOffer: readonly StoredGiveaway[],
): StoredGiveaway[] {
  const { startDate } = current;
  if (startDate === null) return [];
  return ofOffer.filter(
    (each) => each.id !== current.id && each.startDate !== null && each.startDate < startDate,
  );
}
