import type { Role } from "./role.ts";

/** What follows from an offer's role alone. */
export interface OfferShape {
  readonly offerType: string;
  readonly categories: readonly string[];
  /** Number of pictures. */
  readonly images: number;
}

/** The shape of each role; small ones have few pictures to keep their records small. */
export const offerShapes: Readonly<Record<Role, OfferShape>> = {
  baseGame: {
    offerType: "BASE_GAME",
    categories: ["games", "games/edition/base", "applications"],
    images: 5,
  },
  prePurchase: {
    offerType: "BASE_GAME",
    categories: ["games", "games/edition/base", "games/prepurchase", "applications"],
    images: 3,
  },
  dlc: { offerType: "DLC", categories: ["addons", "addons/durable"], images: 3 },
  addOn: { offerType: "ADD_ON", categories: ["addons", "addons/durable"], images: 2 },
  edition: { offerType: "EDITION", categories: ["games", "games/edition"], images: 3 },
  bundle: { offerType: "BUNDLE", categories: ["bundles", "bundles/games"], images: 3 },
  extra: { offerType: "DIGITAL_EXTRA", categories: ["digitalextras"], images: 1 },
  demo: { offerType: "DEMO", categories: ["games", "games/demo"], images: 2 },
  consumable: { offerType: "CONSUMABLE", categories: ["addons", "addons/consumable"], images: 1 },
  currency: { offerType: "VIRTUAL_CURRENCY", categories: ["addons", "points"], images: 1 },
  wrapper: { offerType: "OTHERS", categories: ["applications"], images: 0 },
  collection: { offerType: "OTHERS", categories: ["collections"], images: 1 },
};
