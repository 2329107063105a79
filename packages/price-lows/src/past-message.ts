import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import type {
  PricePast as PastMessage,
  PriceStep as StepMessage,
  PriceStepSchema,
} from "@storefront/contracts/pricing/v1/price_past";
import type { PricePast, PriceStep } from "./price-past.ts";

export function pastMessage(past: PricePast): PastMessage {
  const { reduction } = past;
  return create(PricePastSchema, {
    lastStartMs: BigInt(past.lastStartMs),
    currencyCode: past.currencyCode ?? "",
    ...(past.sinceMs !== undefined && { sinceMs: BigInt(past.sinceMs) }),
    steps: past.steps.map(stepMessage),
    ...(reduction !== undefined && {
      reduction: {
        sinceMs: BigInt(reduction.sinceMs),
        stepsBefore: reduction.stepsBefore.map(stepMessage),
      },
    }),
    hadGiveaway: past.hadGiveaway ?? false,
    hadOtherCurrency: past.hadOtherCurrency ?? false,
  });
}

function stepMessage([discountPrice, startMs, endMs]: PriceStep): MessageInitShape<
  typeof PriceStepSchema
> {
  return {
    discountPrice: BigInt(discountPrice),
    startMs: BigInt(startMs),
    ...(endMs !== null && { endMs: BigInt(endMs) }),
  };
}

export function pastOfMessage(message: PastMessage): PricePast {
  const { currencyCode, sinceMs, reduction, hadGiveaway, hadOtherCurrency } = message;
  return {
    lastStartMs: Number(message.lastStartMs),
    ...(currencyCode !== "" && { currencyCode }),
    ...(sinceMs !== undefined && { sinceMs: Number(sinceMs) }),
    steps: message.steps.map(stepOf),
    ...(reduction !== undefined && {
      reduction: {
        sinceMs: Number(reduction.sinceMs),
        stepsBefore: reduction.stepsBefore.map(stepOf),
      },
    }),
    ...(hadGiveaway && { hadGiveaway }),
    ...(hadOtherCurrency && { hadOtherCurrency }),
  };
}

function stepOf({ discountPrice, startMs, endMs }: StepMessage): PriceStep {
  return [Number(discountPrice), Number(startMs), endMs === undefined ? null : Number(endMs)];
}
