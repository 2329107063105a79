export const baseGameRank = 2;

/** Types of offers that are whole games, by their rank; what is added to a game has 0. */
const ranks: Readonly<Record<string, number>> = {
  BASE_GAME: baseGameRank,
  EDITION: 1,
  BUNDLE: 1,
};

/** All that {@link typeRank} gives but 0. */
export const typeRanks = [...new Set(Object.values(ranks))];

/**
 * How early an offer of a type stands among those whose titles a text finds alike, the highest first: who
 * types a game's name means the game, then an edition of it, then what can be added to it.
 */
export function typeRank(offerType: string | undefined): number {
  return (offerType === undefined ? undefined : ranks[offerType]) ?? 0;
}
