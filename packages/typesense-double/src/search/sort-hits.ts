import { isString } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { tokenizer } from "../text/tokenize.ts";
import type { Hit } from "./find-hits.ts";
import type { MissingValues, SortKey } from "./parse-sort-by.ts";

/** What a key compares: numbers by size, texts by their bytes; undefined where there is no value. */
type SortValue = number | bigint | Buffer | undefined;

/** How many hits are brought into buckets; further ones keep their order. */
const bucketedMax = 250;

/** Brings hits into order; the last tie goes to the document inserted last. */
export function sortHits(
  hits: readonly Hit[],
  keys: readonly SortKey[],
  groupSizes?: ReadonlyMap<Hit, number>,
): Hit[] {
  const valued = hits.map((hit) => ({
    hit,
    values: keys.map((key) => sortValue(hit, key, groupSizes)),
  }));
  type Valued = (typeof valued)[number];
  const compare = (a: Valued, b: Valued): number => {
    for (const [index, key] of keys.entries()) {
      const order = compareBy(key, a.values[index], b.values[index]);
      if (order !== 0) return order;
    }
    return b.hit.stored.seq - a.hit.stored.seq;
  };
  const sorted = valued.toSorted(compare);
  const at = keys.findIndex((key) => key.kind === "textMatch" && key.buckets > 0);
  const key = keys[at];
  if (key?.kind === "textMatch") {
    const count = Math.min(bucketedMax, sorted.length);
    const size = Math.ceil(count / key.buckets);
    const head = sorted.slice(0, count).map(({ hit, values }, index) => ({
      hit,
      values: values.with(at, -Math.floor(index / size)),
    }));
    return [...head.toSorted(compare), ...sorted.slice(count)].map(({ hit }) => hit);
  }
  return sorted.map(({ hit }) => hit);
}

function sortValue(hit: Hit, key: SortKey, groupSizes?: ReadonlyMap<Hit, number>): SortValue {
  if (key.kind === "textMatch") return hit.fusion ?? hit.match?.score ?? 0n;
  if (key.kind === "vectorDistance") return hit.vectorDistance;
  if (key.kind === "groupFound") return groupSizes?.get(hit);
  if (key.kind === "field") return fieldValue(key.field, hit.stored.values[key.field.name]);
  return key.cases.find(({ filter }) => filter(hit.stored))?.score ?? 0;
}

const sortText = tokenizer({ locale: "", symbols: [" "], separators: [] });

function fieldValue(field: Field, value: unknown): SortValue {
  if (isString(field)) {
    // Spaces are kept, everything else is folded as words are; an empty text counts as missing.
    const text = typeof value === "string" ? value : "";
    const folded = Array.from(text.split(" "), (part) => sortText(part).join("")).join(" ");
    return folded.trim() === "" ? undefined : Buffer.from(folded);
  }
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "number") return undefined;
  return field.type === "float" ? Math.fround(value) : value;
}

function compareBy(key: SortKey, left: SortValue, right: SortValue): number {
  const direction = key.descending ? -1 : 1;
  if (left === undefined || right === undefined) {
    const order = Number(left === undefined) - Number(right === undefined);
    return order * missingDirection(key, direction);
  }
  if (left instanceof Buffer && right instanceof Buffer) {
    return Buffer.compare(left, right) * direction;
  }
  if (left === right) return 0;
  return (left < right ? -1 : 1) * direction;
}

/** Missing numbers are last either way, missing texts count as the highest, unless told otherwise. */
function missingDirection(key: SortKey, direction: number): number {
  const missing: MissingValues = key.kind === "field" ? key.missing : "normal";
  if (missing === "first") return -1;
  if (missing === "last") return 1;
  return key.kind === "field" && isString(key.field) ? direction : 1;
}
