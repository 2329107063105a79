import type { Collection, StoredDocument } from "../documents/collection.ts";
import type { Field } from "../schema/field.ts";

/**
 * The words of a field that begin so, in the order in which the server tries them: the very word
 * first, then by weight.
 *
 * @param beside only words that share a document with this one, when given.
 */
export function wordsBeginningWith(
  collection: Collection,
  field: Field,
  beginning: string,
  beside?: string,
): string[] {
  const vocabulary = collection.vocabulary(field);
  const neighbours = beside === undefined ? undefined : new Set(vocabulary.get(beside) ?? []);
  const words = [...vocabulary]
    .filter(([word]) => word.startsWith(beginning))
    .filter(([, holders]) => neighbours === undefined || holders.some((d) => neighbours.has(d)));
  return byWeight(collection, words, beginning);
}

/**
 * Words in the order of their weight, the very word `first`: by the highest default sorting value among the documents
 * that hold them or, without such a field, by how many documents do. The alphabet settles the rest.
 */
export function byWeight(
  collection: Collection,
  words: readonly (readonly [string, readonly StoredDocument[]])[],
  first: string,
): string[] {
  const sorting = collection.schema.defaultSortingField;
  const weigh = (holders: readonly StoredDocument[]): number =>
    sorting === ""
      ? holders.length
      : holders.reduce(
          (most, { document }) => Math.max(most, numeric(document[sorting])),
          -Infinity,
        );
  return words
    .map(([word, holders]) => ({ word, weight: weigh(holders) }))
    .toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
    .toSorted((a, b) => Number(b === first) - Number(a === first));
}

function numeric(value: unknown): number {
  return typeof value === "number" || typeof value === "boolean" ? Number(value) : 0;
}
