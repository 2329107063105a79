import {
  CurrentGiveawaySchema,
  ListCurrentGiveawaysResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { encodedOf, EncodedWriter } from "@storefront/rpc";
import { validForMs } from "../domain/valid-for-ms.ts";
import type { GiveawayStore, StoredGiveaway } from "../store/giveaway-store.ts";
import type { PricingHandlers } from "./handlers.ts";
import { instantAsked } from "./instant-asked.ts";

const maxGiveaways = 1_000;
const { giveaway, historical } = CurrentGiveawaySchema.field;

export function listCurrentGiveaways(deps: {
  giveaways: GiveawayStore;
}): PricingHandlers["listCurrentGiveaways"] {
  return async (request) => {
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
  };
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
