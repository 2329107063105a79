import names from "./names.json" with { type: "json" };

/** Beginnings of invented place and family names. */
export const nameOnsets: readonly string[] = names.nameOnsets;

/** Middles; the empty one makes short names. */
export const nameMiddles: readonly string[] = names.nameMiddles;

/** Endings of invented place and family names. */
export const nameEndings: readonly string[] = names.nameEndings;

/** First words of studio names. */
export const studioWords: readonly string[] = names.studioWords;

/** Second words of studio names. */
export const studioSuffixes: readonly string[] = names.studioSuffixes;

/** What publishers call themselves; "{name}" is an invented name. */
export const publisherPatterns: readonly string[] = names.publisherPatterns;
