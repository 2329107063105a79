import { identifier as extension } from "@storefront/contracts/rule/v1/rule";
import type { Rule } from "./rule.ts";
import { patternRule } from "./value-rules.ts";

/** An identifier, or a reference to one: 1 to 256 characters without control characters. */
export const identifier: Rule = patternRule(extension);
