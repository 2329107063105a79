/**
 * Why a follower resynchronises: it cannot go on from where it is, an earlier release has left out what this one keeps,
 * or an operator has asked for it.
 */
export const resynchronisationReasons = ["diverged", "pruned", "incomplete", "asked"] as const;

/** One of {@link resynchronisationReasons}. */
export type ResynchronisationReason = (typeof resynchronisationReasons)[number];

/** What is logged when a resynchronisation begins. */
export const resynchronisationSentences: Readonly<Record<ResynchronisationReason, string>> = {
  diverged: "the log is another one: resynchronising",
  pruned: "the log is another one: resynchronising",
  incomplete: "an earlier release has stored less than this one: resynchronising",
  asked: "rebuilding",
};
