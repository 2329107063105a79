/**
 * Offer types from the one that best stands for an item to the one that does least; every other
 * type, and a missing one, comes after them.
 */
export const itemOfferTypes: readonly string[] = [
  "BASE_GAME",
  "DLC",
  "ADD_ON",
  "EDITION",
  "BUNDLE",
  "CONSUMABLE",
];
