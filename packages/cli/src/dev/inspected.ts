import { serviceNames } from "@storefront/config";
import { integerOption } from "../option-values.ts";
import { usageError } from "../user-error.ts";
import type { ProcessName } from "./dev-environment.ts";

/** The process whose inspector is open. */
export interface Inspected {
  name: ProcessName;
  port: number;
}

/**
 * Parses `NAME` or `NAME:PORT`.
 *
 * @throws UserError when there is no such process or port.
 */
export function parseInspected(text: string): Inspected {
  const [given = "", port = "9229"] = text.split(/:(.*)/s);
  const names = ["gateway", ...serviceNames] as const;
  const name = names.find((known) => known === given);
  if (name === undefined) throw usageError(`--inspect takes one of ${names.join(", ")}.`);
  return { name, port: integerOption("inspect", port, { min: 1, max: 65_535 }) };
}
