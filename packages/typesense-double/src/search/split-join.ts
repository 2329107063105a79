import type { Collection, StoredDocument } from "../documents/collection.ts";
import type { Field } from "../schema/field.ts";

/** Words of a query that are joined or split at most. */
const wordsMax = 5;

/**
 * The query with a space put in or taken out, where a field has such words: all words joined, else
 * two neighbours joined, else one word split in two that stand side by side. Undefined when nothing
 * fits.
 */
export function splitOrJoin(
  collection: Collection,
  field: Field,
  words: readonly string[],
): string[] | undefined {
  const vocabulary = collection.vocabulary(field);
  const joined = words.join("");
  if (words.length > 1 && vocabulary.has(joined)) return [joined];
  const count = Math.min(wordsMax, words.length);
  if (count > 2) {
    for (let at = 0; at < count - 1; at++) {
      const pair = `${words[at]}${words[at + 1]}`;
      const candidate = words.toSpliced(at, 2, pair);
      if (holders(vocabulary, candidate).length > 0) return candidate;
    }
  }
  for (let at = 0; at < count; at++) {
    const parts = split(collection, field, words[at] ?? "");
    if (parts === undefined) continue;
    const candidate = words.toSpliced(at, 1, ...parts);
    if (holders(vocabulary, candidate).length > 0) return candidate;
  }
  return undefined;
}

function split(collection: Collection, field: Field, word: string): [string, string] | undefined {
  const vocabulary = collection.vocabulary(field);
  for (let at = word.length - 1; at > 0; at--) {
    const first = word.slice(0, at);
    const second = word.slice(at);
    const together = holders(vocabulary, [first, second]).some((stored) =>
      collection
        .words(stored, field)
        .some((held) => held.some((w, i) => w === first && held[i + 1] === second)),
    );
    if (together) return [first, second];
  }
  return undefined;
}

/** The documents that hold all the words in this field. */
function holders(
  vocabulary: ReadonlyMap<string, readonly StoredDocument[]>,
  words: readonly string[],
): StoredDocument[] {
  const [first, ...others] = words.map((word) => vocabulary.get(word) ?? []);
  return (first ?? []).filter((stored) => others.every((list) => list.includes(stored)));
}
