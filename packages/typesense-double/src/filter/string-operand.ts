import type { Collection } from "../documents/collection.ts";
import type { Field } from "../schema/field.ts";
import { wordsBeginningWith } from "../text/words-beginning-with.ts";
import { listContent, splitValues, valueError } from "./filter-value.ts";
import type { DocumentFilter } from "./field-values.ts";

/** How a value's words have to stand in a text. */
type Comparison = "contains" | "equals" | "phrase";

/** Whether the words of one element fit. */
type WordsTest = (words: readonly string[]) => boolean;

/** Words of a prefix that are tried (`max_filter_by_candidates`); a filter misses the others. */
const prefixWordsMax = 4;
/** A longer value equals nothing, as on the server. */
const exactWordsMax = 128;

/**
 * A filter on a text field: `v` contains the words, `=v` equals them, `!=v` and `!v` the opposites,
 * `[…]` any of a list, `…*` a prefix, `"…"` a phrase. `<` and `>` in front are ignored, as
 * punctuation is. A document without the field passes what is negated.
 *
 * @throws TypesenseError 400 when a value has no word in it.
 */
export function parseStringOperand(
  collection: Collection,
  field: Field,
  value: string,
): DocumentFilter {
  const negated = value.startsWith("!") && value.length > 1;
  const exact = value.startsWith("=") || value.startsWith("!=");
  const rest = value.replace(negated ? /^!=? */u : /^= */u, "");
  if (rest === "") throw valueError(field.name, "Filter value cannot be empty.");
  const list = listContent(rest);
  const values = list === undefined ? [rest] : splitValues(list);
  const comparison = chooseComparison(values, exact);
  const tests = values.flatMap((text) => parseValue(collection, field, unquote(text), comparison));
  return (stored) =>
    collection.words(stored, field).some((words) => tests.some((test) => test(words))) !== negated;
}

/** The first value of a list decides for all; any phrase among them makes the others exact. */
function chooseComparison(values: readonly string[], exact: boolean): Comparison {
  const [first] = values;
  if (first !== undefined && isPhrase(first)) return "phrase";
  return exact || values.some(isPhrase) ? "equals" : "contains";
}

function isPhrase(value: string): boolean {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"');
}

function unquote(value: string): string {
  return isPhrase(value) ? value.slice(1, -1) : value;
}

function parseValue(
  collection: Collection,
  field: Field,
  value: string,
  comparison: Comparison,
): WordsTest[] {
  const isPrefix = value.length > 1 && value.endsWith("*");
  const wanted = collection.tokenizer(field)(isPrefix ? value.slice(0, -1) : value);
  if (wanted.length === 0) throw valueError(field.name, "Filter value cannot be empty.");
  if (!isPrefix) return [testWords(wanted, comparison, false)];
  const preceding = wanted.slice(0, -1);
  return wordsBeginningWith(collection, field, wanted.at(-1) ?? "", preceding.at(-1))
    .slice(0, prefixWordsMax)
    .map((word) => testWords([...preceding, word], comparison, true));
}

function testWords(
  wanted: readonly string[],
  comparison: Comparison,
  isPrefix: boolean,
): WordsTest {
  if (comparison === "contains") return (words) => wanted.every((word) => words.includes(word));
  if (comparison === "phrase") {
    return (words) =>
      words.some((_, start) => wanted.every((word, index) => words[start + index] === word));
  }
  return (words) =>
    (isPrefix || words.length === wanted.length) &&
    wanted.length <= exactWordsMax &&
    wanted.every((word, index) => words[index] === word);
}
