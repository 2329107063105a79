/** What an offer is in its sandbox; several roles share an `offerType`. */
export type Role =
  | "baseGame"
  | "prePurchase"
  | "dlc"
  | "addOn"
  | "edition"
  | "bundle"
  | "extra"
  | "demo"
  | "consumable"
  | "currency"
  | "wrapper"
  | "collection";
