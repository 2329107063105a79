import offers from "./offers.json" with { type: "json" };

/** Names of editions; the base game's title stands before. */
export const editionNames: readonly string[] = offers.editionNames;

/** Names of bundles; the base game's title stands before. */
export const bundleNames: readonly string[] = offers.bundleNames;

/** Names of digital extras; the base game's title stands before. */
export const extraNames: readonly string[] = offers.extraNames;

/** What follows an add-on's own name; the empty one leaves it as it is. */
export const addOnSuffixes: readonly string[] = offers.addOnSuffixes;

/** Code names of unreleased work, used by offers that are never sold. */
export const codeNames: readonly string[] = offers.codeNames;

/** Names of offers that are never sold; "{code}" is a code name. */
export const wrapperPatterns: readonly string[] = offers.wrapperPatterns;

/** Seasons of sales; each is an event tag and the name of price rules. */
export const saleNames: readonly string[] = offers.saleNames;

/** Names of collections; "{genre}" is a genre's tag. */
export const collectionPatterns: readonly string[] = offers.collectionPatterns;
