import { joinPath } from "./strings.ts";

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

/** The error as seen from one level further up; what is no MemberFault stays. */
export function within(name: string, error: unknown): unknown {
  return error instanceof MemberFault
    ? new MemberFault(joinPath(name, error.path), error.rule)
    : error;
}
