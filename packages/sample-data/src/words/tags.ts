import tags from "./tags.json" with { type: "json" };

/** The groups of tags, as the import format names them. */
export type TagGroup =
  | "event"
  | "genre"
  | "feature"
  | "epicfeature"
  | "accessibility"
  | "platform"
  | "subscription"
  | "usersay";

/** Names of tags by group; a tag's id follows from its place, so add only at the end of a group. */
export const tagNames: Readonly<Record<TagGroup, readonly string[]>> = tags.tagNames;

/** Other names under which a tag is known. */
export const tagAliases: Readonly<Record<string, readonly string[]>> = tags.tagAliases;

/** Tags that are no longer given out but still stand on some offers. */
export const retiredTags: readonly string[] = tags.retiredTags;
