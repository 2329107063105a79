import type { Collection } from "../documents/collection.ts";
import { findField } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { Hit } from "./find-hits.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** Hits with the same values in the fields of `group_by`, in the order they came. */
export interface HitGroup {
  key: unknown[];
  hits: Hit[];
}

const groupLimitMax = 99;

/**
 * Checks `group_by`.
 *
 * @throws TypesenseError 400 or 404 in the server's words.
 */
export function checkGrouping(collection: Collection, parameters: SearchParameters): void {
  for (const name of parameters.groupBy) {
    if (name === "id") throw new TypesenseError("Cannot use `id` as a group by field.");
    if (name.includes("*")) throw new TypesenseError(`Pattern \`${name}\` is not allowed.`);
    const field = findField(collection.schema, name);
    if (field === undefined) {
      throw new TypesenseError(`Could not find a field named \`${name}\` in the schema.`, 404);
    }
    if (!field.facet) {
      throw new TypesenseError(`Group by field \`${name}\` should be a facet field.`);
    }
  }
  const { groupBy, groupLimit } = parameters;
  if (groupBy.length > 0 && (groupLimit === 0 || groupLimit > groupLimitMax)) {
    throw new TypesenseError(`Value of \`group_limit\` must be between 1 and ${groupLimitMax}.`);
  }
}

/**
 * Groups hits, each group at the place of its first hit. Documents without a value form a group
 * with an empty key or, when `group_missing_values` is off, a group each.
 */
export function groupHits(hits: readonly Hit[], parameters: SearchParameters): HitGroup[] {
  const groups = new Map<string, HitGroup>();
  for (const hit of hits) {
    const { values, seq } = hit.stored;
    const held = parameters.groupBy.map((name) => values[name] ?? null);
    const alone = held.includes(null) && !parameters.groupMissingValues;
    const id = JSON.stringify(alone ? [held, seq] : held);
    const group = groups.get(id);
    if (group !== undefined) group.hits.push(hit);
    else groups.set(id, { key: held.filter((value) => value !== null), hits: [hit] });
  }
  return [...groups.values()];
}
