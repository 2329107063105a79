import type { JsonValue } from "@bufbuild/protobuf";

/** A member that breaks a rule, found while descending; its path grows on the way up. */
export class MemberFault extends Error {
  readonly path: string;
  /** The rest of a sentence, such as `must be an integer`. */
  readonly rule: string;

  constructor(path: string, rule: string) {
    super(rule);
    this.path = path;
    this.rule = rule;
  }
}

/** The error as seen from one level further up; other errors than a MemberFault do not change. */
export function within(name: string, error: unknown): unknown {
  return error instanceof MemberFault
    ? new MemberFault(joinPath(name, error.path), error.rule)
    : error;
}

/** The rule that any string breaks, as the rest of a sentence; undefined if none. */
export function stringFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "must not contain a lone surrogate";
  return text.includes("\0") ? "must not contain NUL" : undefined;
}

/** A fault in free-form JSON. */
interface JsonFault {
  /** Path from the value, such as `images[2].src`; empty for the value itself. */
  readonly path: string;
  readonly rule: string;
}

/**
 * Most levels of lists and objects in free-form JSON. Each takes three of protobuf's, whose readers
 * commonly refuse more than 100.
 */
const maxDepth = 32;

/** The first fault inside free-form JSON: a string, the name of a member, or too many levels. */
export function jsonFault(value: JsonValue, depth = maxDepth): JsonFault | undefined {
  if (typeof value === "string") {
    const rule = stringFault(value);
    return rule === undefined ? undefined : { path: "", rule };
  }
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { path: "", rule: "must be a finite number" };
  }
  if (value === null || typeof value !== "object") return undefined;
  if (depth === 0) return { path: "", rule: `must not be deeper than ${maxDepth} levels` };
  const entries: [string, JsonValue][] = Array.isArray(value)
    ? value.map((element, index) => [`[${index}]`, element])
    : Object.entries(value);
  for (const [name, member] of entries) {
    const nameRule = stringFault(name);
    if (nameRule !== undefined) {
      return { path: "", rule: `has a member whose name ${nameRule}` };
    }
    const fault = jsonFault(member, depth - 1);
    if (fault !== undefined) return { path: joinPath(name, fault.path), rule: fault.rule };
  }
  return undefined;
}

/** A path and what follows it: `a` and `b` give `a.b`, `a` and `[2]` give `a[2]`. */
function joinPath(path: string, rest: string): string {
  if (path === "" || rest === "") return path + rest;
  return rest.startsWith("[") ? path + rest : `${path}.${rest}`;
}
