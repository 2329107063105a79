import { phrases, words } from "./list.ts";

/** Names of editions; the base game's title stands before. */
export const editionNames = [
  "Deluxe Edition",
  "Gold Edition",
  "Complete Edition",
  "Collector's Edition",
  "Anniversary Edition",
  "Director's Cut",
];

/** Names of bundles; the base game's title stands before. */
export const bundleNames = ["Franchise Bundle", "Starter Bundle", "Everything Bundle", "Duo Pack"];

/** Names of digital extras; the base game's title stands before. */
export const extraNames = ["Original Soundtrack", "Digital Artbook", "Wallpaper Set", "Making Of"];

/** What follows an add-on's own name; the empty one leaves it as it is. */
export const addOnSuffixes = ["", " Pack", " Set", " Bundle", " – Season Pass"];

/** Code names of unreleased work, used by offers that are never sold. */
export const codeNames = words(`
  Marigold Gherkin Teaspoon Walrus Pinecone Trombone Lettuce Armadillo Biscuit Porcupine Turnip
  Lampshade Pancake Badger Umbrella Radish
`);

/** Names of offers that are never sold; "{code}" is a code name. */
export const wrapperPatterns = [
  "{title} – Store Page",
  "{code} Playtest",
  "{code}_QA_Audience",
  "{code} (Press Access)",
  "{title} Retail Key",
];

/** Seasons of sales; each is an event tag and the name of price rules. */
export const saleNames = phrases(`
  Harvest Sale
  First Snow Sale
  Midsummer Sale
  Cherry Blossom Sale
  Publisher Weekend
  Back-to-School Sale
  Rainy Day Deals
`);

/** Names of collections; "{genre}" is a genre's tag. */
export const collectionPatterns = [
  "The {genre} Shelf",
  "Editors' Picks: {genre}",
  "{genre} for Long Evenings",
  "New & Noteworthy in {genre}",
];
