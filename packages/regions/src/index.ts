export {
  currencyOf,
  defaultRegion,
  isRegion,
  minorUnitDigitsOf,
  regionOfCountry,
} from "./region-lookup.ts";
export { regions } from "./regions.ts";
export type { PricingRegion } from "./regions.ts";
