export { floorAfter, lowestSince, lowsOf, neverLowerMs } from "./lows-of.ts";
export type {
  LowsQuestion,
  PriceExclusion,
  PriceLow,
  PriceLows,
  PriceReduction,
  PriceFloor,
} from "./lows-of.ts";
export { pastAfter, pastMessage, pastOfMessage } from "./price-past.ts";
export type { PricePast, PriceState, PriceStep } from "./price-past.ts";
