import { observe } from "./observe.ts";
import type { Observed } from "./observe.ts";
import type { Source } from "./seed.ts";
import { dayMs } from "./time.ts";
import { retiredTags, tagAliases, tagNames } from "./words/tags.ts";
import type { TagGroup } from "./words/tags.ts";

export interface TagRecord {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly status: "ACTIVE" | "INACTIVE";
  readonly groupName: TagGroup;
}

/** A tag as an offer refers to it. */
export interface TagReference {
  readonly id: string;
  readonly name: string;
}

/** A tag's id is its group's hundred and its place there, the same under every seed. */
const groups: readonly TagGroup[] = [
  "genre",
  "feature",
  "epicfeature",
  "accessibility",
  "platform",
  "subscription",
  "usersay",
  "event",
];

const tags: readonly TagRecord[] = groups.flatMap((groupName, group) =>
  tagNames[groupName].map((name, place) => ({
    id: String(1000 + group * 100 + place),
    name,
    aliases: tagAliases[name] ?? [],
    status: retiredTags.includes(name) ? "INACTIVE" : "ACTIVE",
    groupName,
  })),
);

const references = new Map(tags.map(({ id, name }) => [name, { id, name }]));

/**
 * The tag of that name.
 * @throws Error when there is none.
 */
export function tagNamed(name: string): TagReference {
  const tag = references.get(name);
  if (tag === undefined) throw new Error(`No tag is called "${name}"`);
  return tag;
}

/** Every tag, seen nine years ago, which is before anything else. */
export function observeTags({ nowMs }: Source): Observed<"tag", TagRecord>[] {
  return tags.map((tag) => observe("tag", nowMs - 9 * 365 * dayMs, tag));
}
