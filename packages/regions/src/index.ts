export {
  currencyOf,
  defaultRegion,
  isRegion,
  minorUnitDigitsOf,
  regionOfCountry,
} from "./region-lookup.ts";
export { regions } from "./regions.ts";
export type { Region } from "./regions.ts";
