import reviews from "./reviews.json" with { type: "json" };

/** Titles by what the reviewer thinks. */
export const reviewTitles = reviews.reviewTitles;

/** Sentences that fit any game. */
export const reviewRemarks = reviews.reviewRemarks;

/** Aspects a review is about. */
export const reviewAspects: readonly string[] = reviews.reviewAspects;

/** Beginnings of players' names. */
export const playerAdjectives: readonly string[] = reviews.playerAdjectives;

/** Endings of players' names. */
export const playerNouns: readonly string[] = reviews.playerNouns;
