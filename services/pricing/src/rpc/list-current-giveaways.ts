import { create, toBinary } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  CurrentGiveawaySchema,
  ListCurrentGiveawaysResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import { earlierGiveaways } from "../domain/earlier-giveaways.ts";
import { validForMs } from "../domain/valid-for-ms.ts";
import type { GiveawayStore, StoredGiveaway } from "../store/giveaway-store.ts";
import { instantAsked } from "./instant-asked.ts";

const maxGiveaways = 1_000;
const { currentGiveaways } = ListCurrentGiveawaysResponseSchema.field;
const { giveaway, historical } = CurrentGiveawaySchema.field;

/** The giveaways that hold at an instant, each with the earlier ones of its offer. */
export function listCurrentGiveaways(
  store: GiveawayStore,
): ServiceImpl<typeof PricingService>["listCurrentGiveaways"] {
  return async (request) => {
    const { platforms } = request;
    const at = instantAsked(request.at);

    const [current, next] = await Promise.all([
      store.currentOn(platforms, at, maxGiveaways),
      store.nextCurrentChange(platforms, at),
    ]);
    const offerIds = new Set(current.map(({ offerId }) => offerId).filter((id) => id !== null));
    const ofOffers = await store.ofOffers([...offerIds]);
    const entries = current.map((each) =>
      encodeEntry(each, earlierGiveaways(each, ofOffers.get(each.offerId) ?? [])),
    );
    const validity = create(ListCurrentGiveawaysResponseSchema, {
      validForMs: BigInt(validForMs(at, next)),
    });
    return encoded(
      ListCurrentGiveawaysResponseSchema,
      new EncodedWriter()
        .messages(currentGiveaways.number, entries)
        .raw(toBinary(ListCurrentGiveawaysResponseSchema, validity))
        .finish(),
    );
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
