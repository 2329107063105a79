export { lowsOf } from "./lows-of.ts";
export type {
  LowsQuestion,
  PriceExclusion,
  PriceLow,
  PriceLows,
  PriceReduction,
} from "./lows-of.ts";
export { pastMessage, pastOfMessage } from "./past-message.ts";
export { floorAfter, lowestSince, neverLowerMs } from "./price-floor.ts";
export type { PriceFloor } from "./price-floor.ts";
export { isGiveaway, pastAfter } from "./price-past.ts";
export type { PricePast, PriceState, PriceStep } from "./price-past.ts";
