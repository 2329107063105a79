import type { Collection } from "../documents/collection.ts";
import { TypesenseError } from "../typesense-error.ts";
import { cutFilter } from "./cut-filter.ts";
import type { DocumentFilter } from "./field-values.ts";
import { parseOperand } from "./parse-operand.ts";

/** Operands and operators that a filter may hold together (`--filter-by-max-ops`). */
const operationsMax = 100;

/**
 * Reads a `filter_by`. `&&` and `||` bind equally, from left to right. Blank lets everything pass.
 * When operands stand side by side without an operator only the last one counts, as on the server.
 *
 * @param validateFieldNames whether an unknown field is an error; else it matches nothing.
 * @throws TypesenseError 400 in the server's words.
 */
export function parseFilter(
  collection: Collection,
  filter: string,
  validateFieldNames: boolean,
  objectPrefix = "",
): DocumentFilter {
  if (filter.trim() === "") return () => true;
  const postfix = toPostfix(cutFilter(filter));
  if (postfix.length > operationsMax) {
    throw new TypesenseError(
      `\`filter_by\` has too many operations. Maximum allowed: ${operationsMax}. Use \`--filter-by-max-ops\` command line argument to customize this value.`,
    );
  }
  const stack: DocumentFilter[] = [];
  for (const part of postfix) {
    if (!isOperator(part)) {
      const object = /^([^:{]*\.)\{(.*)\}$/su.exec(part);
      stack.push(
        object === null
          ? parseOperand(collection, part, validateFieldNames, objectPrefix)
          : parseFilter(collection, object[2] ?? "", validateFieldNames, object[1]),
      );
      continue;
    }
    const right = stack.pop();
    const left = stack.pop();
    if (left === undefined || right === undefined) {
      throw new TypesenseError(
        `Could not parse the filter query: unbalanced \`${part}\` operands.`,
      );
    }
    stack.push(
      part === "&&"
        ? (stored) => left(stored) && right(stored)
        : (stored) => left(stored) || right(stored),
    );
  }
  const last = stack.pop();
  if (last === undefined) throw new TypesenseError("Filter query cannot be empty.");
  return last;
}

/** The shunting-yard algorithm, with two operators of one precedence. */
function toPostfix(parts: readonly string[]): string[] {
  const output: string[] = [];
  const waiting: string[] = [];
  const release = () => {
    while (waiting.length > 0 && waiting.at(-1) !== "(") output.push(waiting.pop() ?? "");
  };
  for (const part of parts) {
    if (part === "(") {
      waiting.push(part);
    } else if (part === ")") {
      release();
      if (waiting.pop() === undefined) throw unbalancedParentheses();
    } else if (isOperator(part)) {
      release();
      waiting.push(part);
    } else {
      output.push(part);
    }
  }
  release();
  if (waiting.length > 0) throw unbalancedParentheses();
  return output;
}

function isOperator(part: string): boolean {
  return part === "&&" || part === "||";
}

function unbalancedParentheses(): TypesenseError {
  return new TypesenseError("Could not parse the filter query: unbalanced parentheses.");
}
