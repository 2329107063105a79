import { elementType } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { fieldNumbers } from "./field-values.ts";
import { listContent, splitPlain, valueError } from "./filter-value.ts";
import type { DocumentFilter } from "./field-values.ts";

/** Whether one of the numbers of a document fits. */
type NumberTest = (numbers: readonly number[]) => boolean;

const comparators: Readonly<Record<string, (held: number, wanted: number) => boolean>> = {
  "<=": (held, wanted) => held <= wanted,
  ">=": (held, wanted) => held >= wanted,
  "<": (held, wanted) => held < wanted,
  ">": (held, wanted) => held > wanted,
};

/**
 * A filter on a number field; a leading `=` is gone already. On an array one fitting element is
 * enough; `!=` wants that no element is equal. A document without the field passes what is negated.
 *
 * @throws TypesenseError 400 for what is no number of the field's type.
 */
export function parseNumberOperand(field: Field, value: string): DocumentFilter {
  const bare = /^!(?!=) */u.exec(value);
  const negatedList = /^!= *\[/u.test(value);
  const rest = value.slice(bare?.[0].length ?? 0).replace(/^!= *(?=\[)/u, "");
  if (bare !== null && rest === "") {
    throw valueError(field.name, "Filter value cannot be empty after '!' operator.");
  }
  const list = listContent(rest);
  const tests = (list === undefined ? [rest] : splitPlain(list)).map((text) =>
    parseTest(field, text),
  );
  const negated = bare !== null || negatedList;
  return (stored) => {
    const numbers = fieldNumbers(stored, field);
    return tests.some((test) => test(numbers)) !== negated;
  };
}

function parseTest(field: Field, text: string): NumberTest {
  if (isFloat(text)) return anyEqual(parseNumber(field, text));
  const comparator = /^(?:<=|>=|!=|<|>)/u.exec(text)?.[0];
  if (comparator === undefined && text.includes("..")) return parseRange(field, text);
  if (comparator === undefined) {
    throw valueError(field.name, "Numerical field has an invalid comparator.");
  }
  const wanted = parseNumber(field, text.slice(comparator.length).trim());
  const compare = comparators[comparator];
  if (compare === undefined) return (numbers) => !anyEqual(wanted)(numbers);
  return (numbers) => numbers.some((held) => compare(held, wanted));
}

function parseRange(field: Field, text: string): NumberTest {
  const [low, high] = splitPlain(text, "..").map((bound) => parseNumber(field, bound));
  if (low === undefined || high === undefined) return () => false;
  return (numbers) => numbers.some((held) => held >= low && held <= high);
}

function anyEqual(wanted: number): NumberTest {
  return (numbers) => numbers.includes(wanted);
}

function parseNumber(field: Field, text: string): number {
  const type = elementType(field);
  if (type === "float") {
    if (!isFloat(text)) throw valueError(field.name, "Not a float.");
    return Math.fround(Number(text));
  }
  if (!/^[+-]?\d+$/u.test(text)) throw valueError(field.name, `Not an ${type}.`);
  const wanted = Number(text);
  if (type === "int32" && (wanted > 2_147_483_647 || wanted < -2_147_483_648)) {
    throw valueError(field.name, `\`${text}\` exceeds the range of an int32.`);
  }
  return wanted;
}

function isFloat(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text);
}
